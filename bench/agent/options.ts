import { parseArgs } from 'node:util';

const PARTS = ['web', 'programs', 'corpus', 'tables'];

export interface Options {
  readonly parts: readonly string[];
  /** Names of apps; empty: all. */
  readonly apps: readonly string[];
  readonly tools: readonly string[];
}

export function readOptions(args: string[]): Options {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      app: { type: 'string', multiple: true, default: [] },
      tool: { type: 'string', multiple: true, default: ['substrate', 'playwright'] },
    },
  });
  const unknown = positionals.filter((part) => !PARTS.includes(part));
  if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: expected ${PARTS.join(', ')}`);
  return { parts: positionals.length > 0 ? positionals : [...PARTS], apps: values.app, tools: values.tool };
}
