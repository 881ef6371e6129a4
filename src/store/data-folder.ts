import path from 'node:path';

/** The XDG specification has relative values ignored. */
export function baseFolder(value: string | undefined, fallback: string): string {
  return value !== undefined && path.isAbsolute(value) ? value : fallback;
}

/** Where the data of this user is, unless the configuration names another folder. */
export function dataFolder(env: NodeJS.ProcessEnv, homeDir: string): string {
  return path.join(baseFolder(env.XDG_DATA_HOME, path.join(homeDir, '.local', 'share')), 'substrate');
}
