import { parseArgs } from 'node:util';

const PARTS = ['start', 'apps', 'read', 'watch', 'idle'] as const;

export interface Options {
  readonly parts: readonly string[];
  readonly rounds: number;
  /** The commit to compare with, or null. */
  readonly against: string | null;
}

export function readOptions(args: string[]): Options {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { rounds: { type: 'string', default: '5' }, against: { type: 'string' } },
  });
  const unknown = positionals.filter((part) => !PARTS.some((known) => known === part));
  if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: expected ${PARTS.join(', ')}`);
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`--rounds: found ${values.rounds}, expected a number`);
  return { parts: positionals.length > 0 ? positionals : PARTS, rounds, against: values.against ?? null };
}
