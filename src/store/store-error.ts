import { codeOf } from '../model/failure.ts';

/** A refusal to touch the disk, or a file that is not what it should be. The message is for the person at the CLI. */
export class StoreError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'StoreError';
  }
}

/** Others could have written it. */
export class UntrustedError extends StoreError {}

/** No record of the keys file is meant. */
export class UnknownKeyError extends StoreError {}

export function isAbsent(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}
