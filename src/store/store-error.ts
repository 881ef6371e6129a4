import { codeOf } from '../model/failure.ts';

/** A refusal to touch the disk, or a file that is not as it should be. The message is for the person at the CLI. */
export class StoreError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'StoreError';
  }
}

/** Other users could have written the file. */
export class UntrustedError extends StoreError {}

/** The id matches no record of the keys file. */
export class UnknownKeyError extends StoreError {}

export function isAbsent(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}
