/** Filled in by the build from package.json; a run from source says so. */
declare const SUBSTRATE_VERSION: string | undefined;

export const VERSION = typeof SUBSTRATE_VERSION === 'string' ? SUBSTRATE_VERSION : '0.0.0';
