/** The tools that a model gets: few, with answers of bounded size that say where more is. */
import { z } from 'zod';
import { globMatcher } from '../client/glob.ts';
import type { AppSummary, Substrate } from '../client/index.ts';
import { appData, bounded, keyLine, outline, valueText } from './app-data.ts';

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
  run(substrate: Substrate, input: z.infer<Input>, signal: AbortSignal): Promise<string>;
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
  .array(z.string())
  .optional()
  .describe('patterns for names: * within one step, ** any steps; "cart" means all below it');
const MAX_APPS = 200;

/** What an answer that was cut says about the rest. */
const more = (left: number, what: string) =>
  left === 0 ? [] : [`${left} more ${what} do not fit: narrow with globs.`];

export const TOOLS: readonly Tool[] = [
  tool({
    name: 'list_apps',
    description: 'Lists the running apps whose state can be read: Node, browsers, Electron, Java, .NET.',
    input: z.object({}),
    annotations: reads('List apps'),
    async run(substrate, _, signal) {
      const apps = await substrate.apps({ signal });
      if (apps.length === 0) return 'No app is tracked.';
      return [
        'pid  app_id  runtime  status  confidence  keys  actions  url',
        ...apps.slice(0, MAX_APPS).map(appLine),
        ...more(Math.max(0, apps.length - MAX_APPS), 'apps'),
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
    async run(substrate, { app, globs, fresh = false }, signal) {
      const state = await substrate.state(app, { fresh, signal });
      const wanted = chooser(globs);
      const entries = Object.entries(state.objects).filter(([key]) => wanted(key));
      const { lines, left } = bounded(entries.map(([key, value]) => keyLine(key, value)));
      const isOutline = left > 0 && globs === undefined;
      const shown = isOutline ? bounded(outline(entries.map(([key]) => key))).lines : lines;
      const { url, window_title } = state.context;
      return [
        `${state.app_name}, pid ${state.pid}, confidence ${state.confidence}, capture_id ${state.capture_id}`,
        appData(state.app_id, [
          ...(url === null ? [] : [`(url) ${valueText(url)}`]),
          ...(window_title === null ? [] : [`(window) ${valueText(window_title)}`]),
          ...shown,
        ]),
        ...(isOutline ? [`${entries.length} keys: too many to show. Ask again with globs.`] : more(left, 'keys')),
        ...(entries.length === 0 ? ['No key matches.'] : []),
      ].join('\n');
    },
  }),

  tool({
    name: 'read_changes',
    description: 'What has changed in an app since a capture_id.',
    input: z.object({ app, since: z.string().describe('capture_id of an earlier answer'), globs }),
    annotations: reads('Read changes'),
    async run(substrate, { app, since, globs }, signal) {
      const diff = await substrate.diff(app, since, { signal });
      const wanted = chooser(globs);
      const all = [
        ...diff.changed.map(({ path, before, after }) => [
          path,
          `${path}: ${valueText(before)} -> ${valueText(after)}`,
        ]),
        ...diff.added.map(({ path, value }) => [path, `${path}: appeared, ${valueText(value)}`]),
        ...diff.removed.map(({ path, value }) => [path, `${path}: gone, was ${valueText(value)}`]),
      ].flatMap(([path = '', line = '']) => (wanted(path) ? [line] : []));
      const { lines, left } = bounded(all);
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
    async run(substrate, { app, globs }, signal) {
      const schema = await substrate.schema(app, { signal });
      const wanted = chooser(globs);
      const all = Object.entries(schema.actions)
        .filter(([name]) => wanted(name))
        .map(([name, { signature, reversibility, description }]) => {
          return `${name}${signature.replace(/^fn/, '')}  [${reversibility}]  ${description}`;
        });
      const { lines, left } = bounded(all);
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
    async run(substrate, { app, action, parameters = {}, verify, verify_timeout_ms }, signal) {
      const response = await substrate.tryAction(app, action, parameters, {
        ...(verify === undefined ? {} : { verify }),
        ...(verify_timeout_ms === undefined ? {} : { verifyTimeoutMs: verify_timeout_ms }),
        signal,
      });
      const { verification, state_delta } = response;
      const changes = Object.entries(state_delta ?? {}).map(
        ([key, { before, after }]) => `${key}: ${valueText(before)} -> ${valueText(after)}`,
      );
      const { lines, left } = bounded(changes, 8000);
      const returned = JSON.stringify(response.raw_return) ?? 'null';
      return [
        response.success ? 'Done.' : response.executed ? 'It ran, but did not succeed.' : 'It did not run.',
        ...(verification === null ? [] : [`Verification ${verification.passed ? 'passed' : 'failed'}.`]),
        appData(String(app), [
          response.message,
          ...(verification === null ? [] : [verification.explanation]),
          ...(returned === 'null' ? [] : [`returned ${returned.slice(0, 4000)}`]),
          ...lines,
        ]),
        ...more(left, 'changes'),
      ].join('\n');
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
    async run(substrate, { app, expression, timeout_ms }, signal) {
      const timeout = timeout_ms === undefined ? {} : { timeoutMs: timeout_ms };
      const result = await substrate.verify(app, expression, { ...timeout, signal });
      const verdict = result.passed ? 'True' : 'Not true in time';
      return [`${verdict}, after ${result.latency_ms} ms.`, appData(String(app), [result.explanation])].join('\n');
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
    async run(substrate, { app, key, label }, signal) {
      const state = await substrate.state(app, { signal });
      const value = state.objects[key];
      if (value === undefined && !(key in state.actions)) return `There is no key or action "${key}".`;
      const isAction = value === undefined;
      const type = isAction ? 'object' : value === null ? 'string' : typeof value;
      const correction = { observed_key: key, correct_label: label, correct_type: type };
      const feedbackType = isAction ? 'action_correction' : 'label_correction';
      return (await substrate.learn(app, state, [correction], { feedbackType, signal })).message;
    },
  }),
];

function appLine(summary: AppSummary): string {
  const { pid, app_id, runtime_name, probe_status, confidence, object_count, action_count, current_url } = summary;
  const facts = [pid, app_id, runtime_name, probe_status, confidence, object_count, action_count];
  return `${facts.join('  ')}${current_url === null ? '' : `  ${valueText(current_url)}`}`;
}

function chooser(globs: readonly string[] | undefined): (key: string) => boolean {
  if (globs === undefined) return () => true;
  const matchers = globs.map(globMatcher);
  return (key) => matchers.some((matches) => matches(key));
}
