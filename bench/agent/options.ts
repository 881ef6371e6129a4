import { parseArgs } from 'node:util';

const PARTS = ['web', 'programs', 'corpus', 'tables'];
/** Before the name of a part: that part with apps that were never opened before. */
const FIRST = 'first';

export interface Options {
  readonly parts: readonly string[];
  /** Names of apps; empty for all. */
  readonly apps: readonly string[];
  readonly tools: readonly string[];
  /** The set of apps for first contacts. Null if none is requested. */
  readonly firstSet: string | null;
  /** First contacts: the apps are started and filled, but not read. */
  readonly rehearse: boolean;
  /** First contacts: only the facts in the state; no task is given. */
  readonly factsOnly: boolean;
  /** With the budgets of tests instead of those of users. */
  readonly unlimited: boolean;
}

export function readOptions(args: string[]): Options {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      app: { type: 'string', multiple: true, default: [] },
      tool: { type: 'string', multiple: true, default: ['substrate', 'playwright'] },
      set: { type: 'string', default: 'one' },
      rehearse: { type: 'boolean', default: false },
      facts: { type: 'boolean', default: false },
      unlimited: { type: 'boolean', default: false },
    },
  });
  const isFirst = positionals[0] === FIRST;
  const parts = isFirst ? positionals.slice(1) : positionals;
  const unknown = parts.filter((part) => !PARTS.includes(part));
  if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: expected ${PARTS.join(', ')}`);
  return {
    parts: parts.length > 0 ? parts : [...PARTS],
    apps: values.app,
    tools: values.tool,
    firstSet: isFirst ? values.set : null,
    rehearse: values.rehearse,
    factsOnly: values.facts,
    unlimited: values.unlimited,
  };
}
