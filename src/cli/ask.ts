/** A yes or no from the person at the terminal. */
import { createInterface } from 'node:readline/promises';
import { UsageError } from './failures.ts';

/** Anything but yes means no. Throws if nobody can answer: a script has to use `--yes`. */
export async function askYes(question: string): Promise<boolean> {
  if (process.stdin.isTTY !== true)
    throw new UsageError('nobody is at the terminal to confirm this; add --yes to go on without a question');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}
