import path from 'node:path';

/** The XDG specification says that relative values are ignored. */
export function baseFolder(value: string | undefined, fallback: string): string {
  return value !== undefined && path.isAbsolute(value) ? value : fallback;
}

/** The data folder of this user, unless the configuration names another one. */
export function dataFolder(env: NodeJS.ProcessEnv, homeDir: string): string {
  return path.join(baseFolder(env.XDG_DATA_HOME, path.join(homeDir, '.local', 'share')), 'substrate');
}
