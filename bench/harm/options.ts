import { parseArgs } from 'node:util';

const PARTS = ['tools', 'server', 'java', 'short'];

export interface Options {
  readonly parts: readonly string[];
  readonly rounds: number;
  /** Names of tools; empty for all. */
  readonly tools: readonly string[];
  /** Number of short programs. */
  readonly short: number;
}

export function readOptions(args: string[]): Options {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '3' },
      tool: { type: 'string', multiple: true, default: [] },
      short: { type: 'string', default: '300' },
    },
  });
  const unknown = positionals.filter((part) => !PARTS.includes(part));
  if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: expected ${PARTS.join(', ')}`);
  const parts = positionals.length > 0 ? positionals : PARTS;
  const rounds = wholeNumber('--rounds', values.rounds);
  return { parts, rounds, tools: values.tool, short: wholeNumber('--short', values.short) };
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${name}: found ${text}, expected a whole number`);
  return value;
}
