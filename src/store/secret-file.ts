/** A file with a secret that others wrote: read only where nobody else can read or change it. */
import { readFileSync, statSync } from 'node:fs';
import { messageOf } from '../model/failure.ts';
import { type Flaw, flawOfFile } from './private-path.ts';
import { StoreError, UntrustedError } from './store-error.ts';

const OTHERS = 0o077;

export function flawOfSecret(file: string, self?: number): Flaw | null {
  const flaw = flawOfFile(file, self);
  if (flaw !== null || (statSync(file).mode & OTHERS) === 0) return flaw;
  return { problem: `Other users have rights to ${file}`, remedy: `chmod go-rwx ${file}` };
}

/** Throws in words for a person. */
export function readSecretFile(file: string): Uint8Array {
  let content: Uint8Array;
  try {
    content = readFileSync(file);
  } catch (error) {
    throw new StoreError(`${file} cannot be read: ${messageOf(error)}`);
  }
  const flaw = flawOfSecret(file);
  if (flaw !== null) throw new UntrustedError(`${flaw.problem}: ${file} is not read. Remedy: ${flaw.remedy}`);
  return content;
}
