import { parseArgs } from 'node:util';

const PARTS = ['web', 'programs', 'corpus', 'tables'];
/** Before the name of a part: that part with apps that were never opened before. */
const FIRST = 'first';

export interface Options {
  readonly parts: readonly string[];
  /** Names of apps; empty: all. */
  readonly apps: readonly string[];
  readonly tools: readonly string[];
  /** Of first contacts: which apps. Null: no first contact is asked for. */
  readonly firstSet: string | null;
  /** First contacts: the apps are started and filled, and nothing looks into them. */
  readonly rehearse: boolean;
  /** First contacts: only what the state holds; no task is given. */
  readonly factsOnly: boolean;
  /** With the budgets of tests instead of those that users have. */
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
