import { execFile, spawnSync } from 'node:child_process';

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const TIMEOUT_MS = 20_000;

interface CommandOptions {
  readonly env?: NodeJS.ProcessEnv;
}

/** The standard output of a command; rejects when it fails. */
export function runCommand(file: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const limits = { maxBuffer: MAX_OUTPUT_BYTES, timeout: TIMEOUT_MS, windowsHide: true };
    execFile(file, args, { ...limits, ...options, encoding: 'utf8' }, (error, stdout) => {
      if (error === null) resolve(stdout);
      else reject(error);
    });
  });
}

/** The output of the command, also when it failed: lsof exits with 1 when it finds nothing. */
export function runCommandSync(file: string, args: readonly string[], options: CommandOptions = {}): string {
  const limits = { maxBuffer: MAX_OUTPUT_BYTES, timeout: TIMEOUT_MS, windowsHide: true };
  const { stdout } = spawnSync(file, args, {
    ...limits,
    ...options,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return stdout ?? '';
}
