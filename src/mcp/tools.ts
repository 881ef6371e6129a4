/** The tools that a model gets: few, with answers of bounded size that say where more is. */
import * as z from 'zod';
import type { AppSummary } from '../client/index.ts';
import { chooseKeys, countsAfter } from '../model/choose-keys.ts';
import { globMatcher } from '../model/glob.ts';
import { inSlices } from '../model/in-slices.ts';
import { KeyFilter } from '../model/key-filter.ts';
import type { StateLook } from '../model/state-look.ts';
import { appData, bounded, cut, keyLine, MAX_CHARACTERS, roomFor, valueText } from './app-data.ts';
import type { Apps } from './apps.ts';
import { outline } from './outline.ts';

/** What was asked for did not come about; the text says how. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
}

/** What a client is told of a tool, beside its description. */
interface Annotations {
  readonly title: string;
  readonly readOnlyHint: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint: boolean;
}

export interface Tool<Input extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  readonly annotations: Annotations;
  run(apps: Apps, input: z.infer<Input>, signal: AbortSignal): Promise<string>;
}

/** Keeps the type of the input within one definition. */
function tool<Input extends z.ZodType>(definition: Tool<Input>): Tool {
  return definition as unknown as Tool;
}

const reads = (title: string): Annotations => ({
  title,
  readOnlyHint: true,
  idempotentHint: true,
  openWorldHint: false,
});

const app = z.union([z.int(), z.string()]).describe('pid or app_id, from list_apps');
const globs = z
  .array(z.string().max(300))
  .max(20)
  .optional()
  .describe('patterns for names: * within one step, ** any steps, items[*].id; "cart" means all below it');
const MAX_URL = 150;
const MAX_MESSAGE = 2000;
const MAX_RETURNED = 4000;
/** Of the changes after an action: they come on top of what it says itself. */
const CHANGES_BUDGET = 8000;
const OUTLINE_BUDGET = 6000;

/** What an answer that was cut says about the rest. */
const more = (left: number, what: string, advice = 'narrow with globs') =>
  left === 0 ? [] : [`${left} more ${what} do not fit: ${advice}.`];

/** Models write numbers as text at times. */
const idOf = (app: number | string) => (typeof app === 'string' && /^\d{1,10}$/.test(app) ? Number(app) : app);

export const TOOLS: readonly Tool[] = [
  tool({
    name: 'list_apps',
    description: 'Lists the running apps (Node, browsers, Electron, Java, .NET), those whose state can be read first.',
    input: z.object({}),
    annotations: reads('List apps'),
    async run({ substrate }, _, signal) {
      const running = (await substrate.apps({ signal })).filter(({ probe_status }) => probe_status !== 'detached');
      const apps = running.sort((one, other) => Number(other.has_state) - Number(one.has_state));
      if (apps.length === 0) return 'No app is tracked.';
      const { lines, left } = bounded(apps, appLine);
      return [
        'pid  app_id  runtime  status  confidence  keys  actions  url',
        appData('all', lines),
        ...more(left, 'apps', 'ask for them by pid'),
      ].join('\n');
    },
  }),

  tool({
    name: 'read_state',
    description:
      'Reads the state of an app as lines `key = value`. A large state gives an outline instead: then ask with globs.',
    input: z.object({
      app,
      globs,
      fresh: z.boolean().optional().describe('look at the app now instead of at the last poll'),
    }),
    annotations: reads('Read state'),
    async run(apps, { app, globs, fresh = false }, signal) {
      const look = await apps.look(idOf(app), { fresh, signal });
      const { pid, app_id, app_name, confidence, capture_id, context } = look.facts;
      const lines = await inSlices(stateLines(look, globs), () => signal.throwIfAborted());
      const { url, window_title } = context;
      return [
        `pid ${pid}, app_id ${app_id}, confidence ${confidence}, capture_id ${capture_id}`,
        appData(app_id, [
          `(app) ${valueText(app_name)}`,
          ...(url === null ? [] : [`(url) ${valueText(url)}`]),
          ...(window_title === null ? [] : [`(window) ${valueText(window_title)}`]),
          ...lines,
        ]),
        ...(lines.length === 0 ? ['No key matches.'] : []),
      ].join('\n');
    },
  }),

  tool({
    name: 'read_changes',
    description: 'What has changed in an app since a capture_id.',
    input: z.object({ app, since: z.string().describe('capture_id of an earlier answer'), globs }),
    annotations: reads('Read changes'),
    async run({ substrate }, { app, since, globs }, signal) {
      const diff = await substrate.diff(idOf(app), since, { signal });
      const wanted = chooser(globs);
      const all = [
        ...diff.changed.map(({ path, before, after }) => ({ path, line: () => changeLine(path, before, after) })),
        ...diff.added.map(({ path, value }) => ({ path, line: () => `${path}: appeared, ${valueText(value)}` })),
        ...diff.removed.map(({ path, value }) => ({ path, line: () => `${path}: gone, was ${valueText(value)}` })),
      ].filter(({ path }) => wanted(path));
      const { lines, left } = bounded(all, ({ line }) => line());
      if (all.length === 0) return `Nothing has changed. capture_id ${diff.capture_id}`;
      return [`capture_id ${diff.capture_id}`, appData(diff.app_id, lines), ...more(left, 'changes')].join('\n');
    },
  }),

  tool({
    name: 'list_actions',
    description:
      'Lists what can be done with an app: name, parameters, kind. irreversible_write needs `verify` in run_action.',
    input: z.object({ app, globs }),
    annotations: reads('List actions'),
    async run({ substrate }, { app, globs }, signal) {
      const schema = await substrate.schema(idOf(app), { signal });
      const wanted = chooser(globs);
      const all = Object.entries(schema.actions).filter(([name]) => wanted(name));
      const { lines, left } = bounded(all, ([name, { signature, reversibility, description }]) => {
        return `${name}${signature.replace(/^fn/, '')}  [${reversibility}]  ${cut(description, MAX_MESSAGE)}`;
      });
      return [appData(schema.app_id, lines), ...more(left, 'actions')].join('\n');
    },
  }),

  tool({
    name: 'run_action',
    description:
      'Does something in an app and tells what changed. With `verify` it also proves it: an expression over the keys of ' +
      'the state that must be true afterwards, such as `cart.items.length === 2`.',
    input: z.object({
      app,
      action: z.string(),
      parameters: z.record(z.string(), z.unknown()).optional(),
      verify: z.string().optional(),
      verify_timeout_ms: z.int().min(100).max(30_000).optional(),
    }),
    annotations: {
      title: 'Run action',
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
    async run({ substrate }, { app, action, parameters = {}, verify, verify_timeout_ms }, signal) {
      const response = await substrate.tryAction(idOf(app), action, parameters, {
        ...(verify === undefined ? {} : { verify }),
        ...(verify_timeout_ms === undefined ? {} : { verifyTimeoutMs: verify_timeout_ms }),
        signal,
      });
      const { verification, state_delta } = response;
      const { lines, left } = bounded(
        Object.entries(state_delta ?? {}),
        ([key, { before, after }]) => changeLine(key, before, after),
        CHANGES_BUDGET,
      );
      const text = [
        response.success ? 'Done.' : response.executed ? 'It ran, but did not succeed.' : 'It did not run.',
        ...(verification === null ? [] : [`Verification ${verification.passed ? 'passed' : 'failed'}.`]),
        appData(app, [
          cut(response.message, MAX_MESSAGE),
          ...(verification === null ? [] : [cut(verification.explanation, MAX_MESSAGE)]),
          ...(response.raw_return == null ? [] : [`returned ${valueText(response.raw_return, MAX_RETURNED)}`]),
          ...lines,
        ]),
        ...more(left, 'changes', 'read_state has them'),
      ].join('\n');
      if (!response.success) throw new ToolFailure(text);
      return text;
    },
  }),

  tool({
    name: 'wait_for',
    description: 'Waits until an expression over the state is true, e.g. `order.status === "paid"`, and explains.',
    input: z.object({
      app,
      expression: z.string(),
      timeout_ms: z.int().min(100).max(30_000).optional(),
    }),
    annotations: reads('Wait for'),
    async run({ substrate }, { app, expression, timeout_ms }, signal) {
      const timeout = timeout_ms === undefined ? {} : { timeoutMs: timeout_ms };
      const result = await substrate.verify(idOf(app), expression, { ...timeout, signal });
      const verdict = result.passed ? 'True' : 'Not true in time';
      return [`${verdict}, after ${result.latency_ms} ms.`, appData(app, [cut(result.explanation, MAX_MESSAGE)])].join(
        '\n',
      );
    },
  }),

  tool({
    name: 'correct_label',
    description: 'Gives a key of the state (or an action) a better name, for good.',
    input: z.object({ app, key: z.string(), label: z.string().describe('dot notation: cart.total') }),
    annotations: {
      title: 'Correct label',
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    async run({ substrate, look }, { app, key, label }, signal) {
      const state = await look(idOf(app), { fresh: false, signal });
      const value = state.get(key);
      if (value === undefined && !state.hasAction(key)) {
        throw new ToolFailure(`There is no key or action ${valueText(key)}.`);
      }
      const isAction = value === undefined;
      const type = isAction ? 'object' : value === null ? 'string' : typeof value;
      const correction = { observed_key: key, correct_label: label, correct_type: type };
      const feedbackType = isAction ? 'action_correction' : 'label_correction';
      const { accepted, message } = await substrate.learn(state.facts.pid, state.facts, [correction], {
        feedbackType,
        signal,
      });
      const text = appData(app, [cut(message, MAX_MESSAGE)]);
      if (accepted === 0) throw new ToolFailure(text);
      return text;
    },
  }),
];

function appLine(summary: AppSummary): string {
  const { pid, app_id, runtime_name, probe_status, confidence, object_count, action_count, current_url } = summary;
  const facts = [pid, app_id, cut(runtime_name, MAX_URL), probe_status, confidence, object_count, action_count];
  return `${facts.join('  ')}${current_url === null ? '' : `  ${valueText(current_url, MAX_URL)}`}`;
}

/** Of whole states, as long as no key comes or goes. */
const outlines = new WeakMap<StateLook['keys'], readonly string[]>();

/** All of it, or what fits of what was asked for and the way to the rest, or, where nothing was asked for, only the way. */
function* stateLines(look: StateLook, globs: readonly string[] | undefined): Generator<void, string[], void> {
  const chosen = yield* chooseKeys(look.keys, globs === undefined ? null : new KeyFilter(globs));
  const { keys } = chosen;
  const room = roomFor(keys.length);
  const lineOf = (key: string) => {
    const value = look.get(key);
    // Only where it took long to choose.
    return value === undefined ? `${key} is gone` : keyLine(key, value, room);
  };
  const all = bounded(keys, lineOf);
  if (all.left === 0) return [...all.lines];
  const isNarrowed = globs !== undefined;
  const { lines } = isNarrowed ? bounded(keys, lineOf, MAX_CHARACTERS - OUTLINE_BUDGET) : { lines: [] };
  const groups = isNarrowed
    ? yield* outline(countsAfter(chosen, lines.length))
    : (outlines.get(look.keys) ?? (yield* outline(chosen.counts)));
  if (!isNarrowed) outlines.set(look.keys, groups);
  const shape = bounded(groups, asItIs, isNarrowed ? OUTLINE_BUDGET : MAX_CHARACTERS);
  return [
    ...lines,
    `(${keys.length - lines.length} ${lines.length > 0 ? 'more ' : ''}keys do not fit. Ask again with globs such as these:)`,
    ...shape.lines,
    ...(shape.left === 0 ? [] : [`(and ${shape.left} more)`]),
  ];
}

const asItIs = (line: string) => line;

const changeLine = (key: string, before: unknown, after: unknown) =>
  `${key}: ${valueText(before)} -> ${valueText(after)}`;

function chooser(globs: readonly string[] | undefined): (key: string) => boolean {
  if (globs === undefined) return () => true;
  const matchers = globs.map(globMatcher);
  return (key) => matchers.some((matches) => matches(key));
}
