/** The MCP tools: few, with answers of limited size that say where more is. */
import * as z from 'zod';
import type { AppSummary, VerificationOutcome } from '../client/index.ts';
import { anyCaseMatcher } from '../model/glob.ts';
import { inSlices } from '../model/in-slices.ts';
import { KeyFilter } from '../model/key-filter.ts';
import type { KeyChange } from '../model/state-look.ts';
import { actionLines, rankActions } from './action-lines.ts';
import { meantActions } from './action-text.ts';
import { appData, bounded, cut, fitted, fittedInSteps, valueText } from './app-data.ts';
import type { Apps } from './apps.ts';
import { bestFirst } from './best-first.ts';
import { isInView } from './key-groups.ts';
import { closedLines, openedBy } from './opened-lines.ts';
import { listed, partOfState, wholeState } from './read-state.ts';
import { matching, reportChanges, reportEffect } from './report-changes.ts';
import { ToolFailure } from './tool-failure.ts';
import { inToolWords } from './tool-words.ts';
import { waitForText } from './wait-for-text.ts';
import { HOW_TO_BEGIN, whichApp } from './which-app.ts';

/** The description of a tool for clients, besides its text. */
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

const slicesOf = ({ owner }: Apps, signal: AbortSignal) => ({ owner, goOn: () => signal.throwIfAborted() });

const reads = (title: string): Annotations => ({
  title,
  readOnlyHint: true,
  idempotentHint: true,
  openWorldHint: false,
});

const namedApp = z.union([z.int(), z.string()]).describe('pid or app_id, from list_apps, or a word of its name');
const app = namedApp.optional().describe('pid or app_id; not needed while one app alone can be read');
const globs = z
  .array(z.string().max(300))
  .max(20)
  .optional()
  .describe('patterns for names: * within one step, ** any steps, items[*].id; "cart" means all below it');
const timeout = z.int().min(100).max(30_000).default(5000);
const MAX_URL = 150;
/** Characters of the whole answer of each tool. */
const LIST_BUDGET = 4000;
const CHANGES_BUDGET = 3000;
const ACTION_BUDGET = 1500;
/** The part of it for changes. */
const EFFECT_BUDGET = 1000;
const PATTERNS = 300;
/** Characters for the message of an action or a verification. */
const MAX_MESSAGE = 300;
/** A successful verification needs little explanation. */
const MAX_PROOF = 120;
const MAX_EXPLANATION = 600;
const MAX_RETURNED = 300;

export const TOOLS: readonly Tool[] = [
  tool({
    name: 'list_apps',
    description: 'Lists the running apps, those whose state can be read first: pid, name, kind, address.',
    input: z.object({ host: z.string().optional().describe('another host of the fleet') }),
    annotations: reads('List apps'),
    async run({ substrate, isInFleet }, _, signal) {
      const others = isInFleet ? await otherHosts(substrate, signal) : [];
      const running = (await substrate.apps({ signal })).filter(({ probe_status }) => probe_status !== 'detached');
      const apps = running.sort((one, other) => Number(other.has_state) - Number(one.has_state));
      if (apps.length === 0) return [`No app is tracked. ${HOW_TO_BEGIN}`, ...others].join('\n');
      return fitted(LIST_BUDGET, (room) => {
        const { lines, left } = bounded(apps, appLine, room);
        return [
          'pid  app_id  runtime  status  confidence  keys  actions  url',
          appData(lines),
          ...(left === 0 ? [] : [`${left} more apps do not fit: ask for them by pid.`]),
          ...others,
        ].join('\n');
      });
    },
  }),

  tool({
    name: 'open_browser',
    description: 'Opens a page in a browser without the logins of the person, which is then an app, and reads it.',
    input: z.object({ url: z.string().describe('http or https') }),
    annotations: {
      title: 'Open browser',
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: true,
    },
    async run(apps, { url }, signal) {
      const { pid, started, headless } = await apps.substrate.openBrowser(url, { signal });
      const look = await apps.look(pid, { fresh: true, signal });
      const page = await inSlices(wholeState(look), { goOn: () => signal.throwIfAborted() });
      const what = started ? 'Started a browser' : 'Opened in a new tab';
      return `${what}${headless ? ' (it has no window)' : ''}.\n${page}`;
    },
  }),

  tool({
    name: 'read_state',
    description:
      'Reads an app. Without globs: one page with the values that matter, where `cart: total = 3` means the key ' +
      '`cart.total`, and rows of a list show what differs from its first row. With globs: the keys that match.',
    input: z.object({
      app,
      globs,
      fresh: z.boolean().optional().describe('look at the app now instead of at the last poll'),
    }),
    annotations: reads('Read state'),
    async run(apps, { app, globs, fresh = false }, signal) {
      const look = await apps.look(await whichApp(apps, app, signal), { fresh, signal });
      const steps = globs === undefined ? wholeState(look) : partOfState(look, globs);
      return inSlices(steps, slicesOf(apps, signal));
    },
  }),

  tool({
    name: 'read_changes',
    description: 'What has changed in an app since a capture_id.',
    input: z.object({ app, since: z.string().describe('capture_id of an earlier answer'), globs }),
    annotations: reads('Read changes'),
    async run(apps, { app, since, globs }, signal) {
      const diff = await apps.substrate.diff(await whichApp(apps, app, signal), since, { signal });
      const all = [
        ...diff.changed.map(({ path, before, after }): KeyChange => ({ key: path, before, after })),
        ...diff.added.map(({ path, value }): KeyChange => ({ key: path, before: undefined, after: value })),
        ...diff.removed.map(({ path, value }): KeyChange => ({ key: path, before: value, after: undefined })),
      ];
      const changes = globs
        ? await inSlices(matching(all, new KeyFilter(globs, anyCaseMatcher)), slicesOf(apps, signal))
        : all;
      if (changes.length === 0) return `Nothing has changed. capture_id ${diff.capture_id}`;
      const look = await apps.look(diff.pid, { fresh: false, signal });
      const report = reportChanges(changes, look, since, globs !== undefined);
      const text = fittedInSteps(CHANGES_BUDGET, function* (room) {
        return [`capture_id ${diff.capture_id}`, appData(yield* report(room))].join('\n');
      });
      return inSlices(text, slicesOf(apps, signal));
    },
  }),

  tool({
    name: 'list_actions',
    description:
      'Lists what can be done with an app, what is on the screen first: name, parameters, kind. irreversible_write ' +
      'needs `verify` in run_action. Methods of libraries only with globs.',
    input: z.object({ app, globs }),
    annotations: reads('List actions'),
    async run(apps, { app, globs }, signal) {
      const slices = slicesOf(apps, signal);
      const schema = await apps.substrate.schema(await whichApp(apps, app, signal), { signal });
      const look = await apps.look(schema.pid, { fresh: false, signal });
      const actions = globs
        ? await inSlices(meantActions(schema.actions, look, new KeyFilter(globs, anyCaseMatcher)), slices)
        : schema.actions;
      const ranked = await inSlices(rankActions(actions, look), slices);
      // Requested actions are listed, even those of libraries.
      const all = [...ranked.methods, ...ranked.libraries];
      const methods = globs
        ? await inSlices(
            bestFirst(all, ({ name }) => name, globs),
            slices,
          )
        : ranked.methods;
      const libraries = globs ? [] : ranked.libraries;
      return fitted(LIST_BUDGET, (room) => {
        const { lines, left } = actionLines(actions, { ...ranked, methods, libraries }, look, room);
        const groups = [...left].map(([glob, count]) => `${glob} (${count})`);
        if (lines.length === 0 && groups.length === 0) return globs ? 'No action matches.' : 'It has no actions.';
        const more = groups.length === 0 ? [] : [`(more, by globs: ${listed(groups, PATTERNS)})`];
        const closed = globs ? [] : closedLines(look);
        return appData([...lines, ...more, ...closed], app === undefined ? schema.pid : undefined);
      });
    },
  }),

  tool({
    name: 'run_action',
    description:
      'Does something in an app and reports what changed. With `verify` it also proves it: an expression over the keys of ' +
      'the state that must be true afterwards, such as `cart.items.length === 2`.',
    input: z.object({
      // Required: another app may have become the only one meanwhile.
      app: namedApp,
      action: z.string(),
      parameters: z.record(z.string(), z.unknown()).optional(),
      verify: z.string().optional(),
      verify_timeout_ms: timeout.describe('how long `verify` may take to become true'),
      globs: globs.describe('report changes of these keys only'),
      idempotency_key: z.string().optional().describe('for a retry: the action runs once per text'),
      if_match: z.string().optional().describe('a capture_id: do not run if what it reads changed since'),
    }),
    annotations: {
      title: 'Run action',
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    },
    async run(apps, { app, action, parameters = {}, verify, verify_timeout_ms, globs, ...conditions }, signal) {
      const id = await whichApp(apps, app, signal);
      const response = await apps.act(id, action, parameters, {
        ...(verify === undefined ? {} : { verify, verifyTimeoutMs: verify_timeout_ms }),
        ...(conditions.idempotency_key === undefined ? {} : { idempotencyKey: conditions.idempotency_key }),
        ...(conditions.if_match === undefined ? {} : { ifMatch: conditions.if_match }),
        signal,
      });
      const { verification, effect } = response;
      const slices = slicesOf(apps, signal);
      const look = effect ? await apps.look(id, { fresh: false, signal }) : null;
      const report = effect && look ? await reportEffect(effect, look, globs, slices) : null;
      const opened = effect && look ? await openedBy(apps, id, effect, look, signal) : [];
      const steps = fittedInSteps(ACTION_BUDGET, function* (room) {
        const changes = report ? yield* report(Math.min(room, EFFECT_BUDGET)) : [];
        return [
          response.success ? 'Done.' : response.executed ? 'It ran, but did not succeed.' : 'It did not run.',
          ...(verification === null ? [] : [`Verification ${verification.passed ? 'passed' : 'failed'}.`]),
          appData([
            cut(inToolWords(response.message), MAX_MESSAGE),
            ...(verification === null ? [] : [explanationOf(verification)]),
            ...(response.raw_return == null ? [] : [`returned ${valueText(response.raw_return, MAX_RETURNED)}`]),
            ...changes,
            ...opened,
          ]),
          ...(effect?.changes.every(({ key }) => isInView(key)) && opened.length === 0
            ? ['Nothing that can be read has changed.']
            : []),
        ].join('\n');
      });
      const text = await inSlices(steps, slices);
      if (!response.success) throw new ToolFailure(text);
      return text;
    },
  }),

  tool({
    name: 'wait_for',
    description:
      'Waits until a text is shown somewhere in an app, or until an expression over the state is true, such as ' +
      '`order.status === "paid"`, and explains.',
    input: z.object({
      app,
      text: z.string().min(1).max(500).optional().describe('in any value; case does not matter'),
      since: z.string().optional().describe('capture_id: only text in what has changed since then counts'),
      expression: z.string().optional().describe('instead of text'),
      timeout_ms: timeout,
    }),
    annotations: reads('Wait for'),
    async run(apps, { app, text, since, expression, timeout_ms }, signal) {
      const id = await whichApp(apps, app, signal);
      if (expression !== undefined) {
        const result = await apps.substrate.verify(id, expression, { timeoutMs: timeout_ms, signal });
        const verdict = result.passed ? 'True' : 'Not true in time';
        const explanation = appData([cut(result.explanation, MAX_EXPLANATION)]);
        return [`${verdict}, after ${result.latency_ms} ms.`, explanation].join('\n');
      }
      if (text === undefined) throw new ToolFailure('Say what to wait for: `text` or `expression`.');
      const { lines, afterMs } = await waitForText(apps, id, { text, since, timeoutMs: timeout_ms }, signal);
      if (lines.length === 0) return `Not seen in time, after ${afterMs} ms.`;
      return [`Seen, after ${afterMs} ms.`, appData(lines)].join('\n');
    },
  }),

  tool({
    name: 'correct_label',
    description:
      'Renames a key of the state (or an action) for everybody who reads this app, for good. For names that are wrong ' +
      'or missing (`unknown_0x…`) where you know what the value is; not needed to read or to act.',
    input: z.object({ app: namedApp, key: z.string(), label: z.string().describe('dot notation: cart.total') }),
    annotations: {
      title: 'Correct label',
      readOnlyHint: false,
      // Expressions and scripts that use the old name no longer find it.
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
    },
    async run(apps, { app, key, label }, signal) {
      const id = await whichApp(apps, app, signal);
      const state = await apps.look(id, { fresh: false, signal });
      const value = state.get(key);
      if (value === undefined && !state.hasAction(key)) {
        throw new ToolFailure(`There is no key or action ${valueText(key)}.`);
      }
      const isAction = value === undefined;
      const type = isAction ? 'object' : value === null ? 'string' : typeof value;
      const correction = { observed_key: key, correct_label: label, correct_type: type };
      const feedbackType = isAction ? 'action_correction' : 'label_correction';
      const { accepted, message } = await apps.substrate.learn(state.facts.pid, state.facts, [correction], {
        feedbackType,
        signal,
      });
      const text = appData([cut(message, MAX_MESSAGE)]);
      if (accepted === 0) throw new ToolFailure(text);
      return text;
    },
  }),
];

/** One line, or none without a fleet. */
async function otherHosts(substrate: Apps['substrate'], signal: AbortSignal): Promise<string[]> {
  const { hosts } = await substrate.hosts({ signal });
  const names = hosts.filter(({ self, problem }) => !self && problem === null).map(({ host }) => host);
  if (names.length === 0) return [];
  const { lines, left } = bounded(names, (name) => name, PATTERNS);
  const shown = `${lines.join(', ')}${left === 0 ? '' : `, … ${left} more`}`;
  return [`Other hosts (list_apps with \`host\`; name their apps host/app): ${shown}`];
}

/** The end of the explanation of a proof is the most important part: whether it was already true. */
function explanationOf({ passed, explanation }: VerificationOutcome): string {
  if (!passed || explanation.length <= MAX_PROOF) return cut(explanation, MAX_MESSAGE);
  return `${explanation.slice(0, MAX_PROOF / 2)}…${explanation.slice(-MAX_PROOF / 2)}`;
}

function appLine(summary: AppSummary): string {
  const { pid, app_id, runtime_name, probe_status, confidence, object_count, action_count, current_url } = summary;
  const facts = [pid, app_id, cut(runtime_name, MAX_URL), probe_status, confidence, object_count, action_count];
  return `${facts.join('  ')}${current_url === null ? '' : `  ${valueText(current_url, MAX_URL)}`}`;
}
