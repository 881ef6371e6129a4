/**
 * Facts that users of an app would ask for: how many are there, how far in front, and how much of the rest is useful.
 */
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { appSchema } from '../../src/model/app-schema.ts';
import { globMatcher } from '../../src/model/glob.ts';
import { pathPattern } from '../../src/model/path.ts';
import type { ActionMap, ActionSchema } from '../../src/model/wire.ts';
import { makeHome, type RunningDaemon } from '../../test/support/daemon.ts';
import { printTable } from '../shared/stats.ts';
import type { App } from './app.ts';
import { printCalibration } from './calibration.ts';
import { writeTranscript } from './install.ts';
import { onStage, startDaemon, substrateOn } from './stage.ts';

const SAMPLE = 60;
/** Content that a person can read, or has written. */
const SCREEN = 'page headings texts text fields forms lists tables details status toggles dialogs'
  .split(' ')
  .map((root) => `${root}.**`)
  .concat('headings[*]');
const SEED = 42;
const SURE = 0.9;
const METHOD = /^(?:Method|Function) /;
/** The thresholds of the gates. */
const NEEDED = { reversible_read: 0.4, reversible_write: 0.8, irreversible_write: 0.95 } as const;

/**
 * `value`: the value; a text counts if it is part of one. `match`: a pattern of the value. `key`: a pattern of the key.
 * `line`: a pattern of `key = value`, if the key may contain it.
 */
const fact = z.object({
  ask: z.string(),
  value: z.union([z.string(), z.number(), z.boolean(), z.null()]).optional(),
  match: z.string().optional(),
  key: z.string().optional(),
  line: z.string().optional(),
});
export type Fact = z.infer<typeof fact>;

const corpus = z.object({
  app: z.string(),
  facts: z.array(fact),
  /** `match`: a pattern for names and descriptions of actions. */
  actions: z.array(z.object({ ask: z.string(), match: z.string() })),
  /** Globs, by judgement. A key in neither is useless; a key in both is noise. */
  useful: z.array(z.string()),
  noise: z.array(z.string()),
  /** Globs of misleading names. Judged by reading the sample. */
  wrong: z.array(z.string()).default([]),
});
type Corpus = z.infer<typeof corpus>;

export interface Entry {
  readonly key: string;
  readonly value: unknown;
}

/** Ranks begin at 1; null if absent. */
interface Found {
  readonly ask: string;
  readonly outline: number | null;
  /** In the shown state, or in the schema. */
  readonly shown: number | null;
  /** Also counts keys that are shown on request only. */
  readonly isThere: boolean;
}

export interface CorpusFinding {
  readonly app: string;
  /** As stated in the answer; absent in older measurements. */
  readonly confidence?: number;
  /** Shown keys, and all keys. */
  readonly keys: number;
  readonly allKeys: number;
  readonly outlineCharacters: number;
  readonly facts: readonly Found[];
  /** `outline`: in list_actions. */
  readonly actions: readonly Found[];
  readonly useful: number;
  /** In the sample: names with a high confidence, and how many of these are right. */
  readonly sure: number;
  readonly right: number;
  readonly sample: readonly string[];
  /** Those with most keys: the first two steps, numbers as #. */
  readonly roots: readonly (readonly [string, number])[];
  /** Controls of the screen, and how many of them are certain enough to be used. */
  readonly controls: number;
  readonly usable: number;
}

export function readCorpus({ name }: App): Corpus | null {
  const file = path.resolve('test/corpus', `${name}.json`);
  return fs.existsSync(file) ? corpus.parse(JSON.parse(fs.readFileSync(file, 'utf8'))) : null;
}

export async function measureCorpus(app: App): Promise<readonly CorpusFinding[]> {
  const wanted = readCorpus(app);
  if (wanted === null) return [];
  const home = makeHome();
  const daemon = await startDaemon(home);
  try {
    const seen = await onStage(app, async ({ pid }): Promise<Seen> => {
      const hands = await substrateOn(daemon, pid);
      const outline = (await hands.counter.call('read_state', { app: pid, fresh: true })).text;
      const listed = (await hands.counter.call('list_actions', { app: pid })).text;
      await hands.close();
      writeTranscript(`${app.name}-corpus`, [outline, listed]);
      return {
        outline,
        listed,
        confidence: await confidenceOf(daemon, pid),
        shown: await entriesOf(daemon, pid),
        all: await entriesOf(daemon, pid, '?all=true'),
        actions: await actionsOf(daemon, pid),
      };
    });
    await daemon.stop();
    return [judge(app, wanted, seen, confidencesIn(home))];
  } finally {
    await daemon.stop();
  }
}

export async function entriesOf(daemon: RunningDaemon, pid: number, query = ''): Promise<Entry[]> {
  const { body } = await daemon.get<{ objects: Record<string, unknown> }>(`/substrate/v1/state/${pid}${query}`);
  return Object.entries(body.objects).map(([key, value]) => ({ key, value }));
}

async function confidenceOf(daemon: RunningDaemon, pid: number): Promise<number> {
  return (await daemon.get<{ confidence: number }>(`/substrate/v1/state/${pid}`)).body.confidence;
}

async function actionsOf(daemon: RunningDaemon, pid: number): Promise<(readonly [string, ActionSchema])[]> {
  const { body } = await daemon.get<{ actions: ActionMap }>(`/substrate/v1/schema/${pid}`);
  return Object.entries(body.actions);
}

/** The confidence of each name, as the daemon has written it at its end; by pattern. */
function confidencesIn(home: string): ReadonlyMap<string, number> {
  const folder = path.join(home, '.local/share/substrate/schemas');
  const schemas = fs.readdirSync(folder).filter((name) => name.endsWith('.json'));
  return new Map(
    schemas.flatMap((name) => {
      const { labels } = appSchema.parse(JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8')));
      return Object.values(labels).map(({ label, confidence }) => [label, confidence] as const);
    }),
  );
}

interface Seen {
  readonly outline: string;
  readonly listed: string;
  readonly confidence: number;
  readonly shown: readonly Entry[];
  readonly all: readonly Entry[];
  readonly actions: readonly (readonly [string, ActionSchema])[];
}

function judge(
  { name: app }: App,
  { facts, actions, useful, noise, wrong }: Corpus,
  { outline, listed, confidence, shown: entries, all, actions: schemas }: Seen,
  confidences: ReadonlyMap<string, number>,
): CorpusFinding {
  const lines = outline.split('\n').slice(2);
  const allActions = schemas.map(([name, { description }]) => `${name} ${description}`);
  const controls = schemas.filter(([, { description }]) => !METHOD.test(description)).map(([, schema]) => schema);
  const isUseful = anyOf([...SCREEN, ...useful]);
  const isNoise = anyOf(noise);
  const sample = chance(entries, SAMPLE);
  const good = sample.filter(
    (entry) => facts.some((fact) => isFact(fact, entry)) || (isUseful(entry.key) && !isNoise(entry.key)),
  );
  const nameConfidence = ({ key }: Entry) => confidences.get(pathPattern(key)) ?? null;
  const sure = sample.filter((entry) => (nameConfidence(entry) ?? 0) >= SURE);
  const isWrong = anyOf(wrong);
  const roots = new Map<string, number>();
  for (const { key } of entries) {
    const steps = key.match(/\["[^"]*"\]|\[\d+\]|[^.[\]]+/g) ?? [key];
    const name = steps.slice(0, 2).join('.').replace(/0x\w+/g, '0x#').replace(/\d+/g, '#');
    roots.set(name, (roots.get(name) ?? 0) + 1);
  }
  return {
    app,
    confidence,
    keys: entries.length,
    allKeys: all.length,
    outlineCharacters: outline.length,
    facts: facts.map((fact) => ({
      ask: fact.ask,
      outline: rankOf(lines, (line) => isFactLine(fact, line)),
      shown: rankOf(entries, (entry) => isFact(fact, entry)),
      isThere: all.some((entry) => isFact(fact, entry)),
    })),
    actions: actions.map(({ ask, match }) => {
      const pattern = new RegExp(match, 'i');
      const isIt = (text: string) => pattern.test(text.replace(/\[(?:ir)?reversible_\w+\]/, ''));
      const shown = rankOf(allActions, isIt);
      return { ask, outline: rankOf(listed.split('\n').slice(1), isIt), shown, isThere: shown !== null };
    }),
    useful: good.length,
    controls: controls.length,
    usable: controls.filter(({ reversibility, confidence }) => confidence >= NEEDED[reversibility]).length,
    sure: sure.length,
    right: sure.filter(({ key }) => !isWrong(key)).length,
    sample: sample.map(
      (entry) =>
        `${good.includes(entry) ? '+' : '-'} ${nameConfidence(entry)} ${entry.key} = ${String(entry.value).slice(0, 60)}`,
    ),
    roots: [...roots].sort(([, one], [, other]) => other - one).slice(0, 40),
  };
}

export function isFact({ value, match, key, line }: Fact, entry: Entry): boolean {
  if (line !== undefined) return new RegExp(line, 'i').test(`${entry.key} = ${entry.value}`);
  if (key !== undefined && !new RegExp(key, 'i').test(entry.key)) return false;
  if (match !== undefined) return new RegExp(match, 'i').test(String(entry.value));
  if (typeof value === 'string' && value !== '' && typeof entry.value === 'string') {
    return flat(entry.value).includes(flat(value));
  }
  return entry.value === value || (typeof value === 'number' && entry.value === String(value));
}

/** `cart: total = 3, paid = false`, `cart.total = 3`, `rows[0] (of 7): name = "a"`. */
const COMPOUND = /^((?:\["(?:[^"\\]|\\.)*"\]|[^\s"])+?)(?: \([^)]*\))?: (?=\S+ = )/;
const VALUE = /(?:^|, )([^\s=]+) = ("(?:[^"\\]|\\.)*"|[^,]+)/g;

/** True for a line of the outline with a value. */
function isFactLine(fact: Fact, line: string): boolean {
  const container = COMPOUND.exec(line);
  if (container) {
    const values = [...line.slice(container[0].length).matchAll(VALUE)];
    return values.some(([, name = '', value = '']) =>
      isFact(fact, { key: `${container[1]}.${name}`, value: parsed(value) }),
    );
  }
  const at = line.indexOf(' = ');
  if (at >= 0) return isFact(fact, { key: line.slice(0, at), value: parsed(line.slice(at + 3)) });
  const { value, match } = fact;
  if (/: \d+ keys?$/.test(line) || fact.key !== undefined) return false;
  return match !== undefined
    ? new RegExp(match, 'i').test(line)
    : typeof value === 'string' && value !== '' && flat(line).includes(flat(value));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const flat = (text: string) => text.toLowerCase().replace(/\s+/g, ' ');

const anyOf = (globs: readonly string[]) => {
  const matchers = globs.map(globMatcher);
  return (key: string) => matchers.some((matches) => matches(key));
};

function rankOf<One>(all: readonly One[], isIt: (one: One) => boolean): number | null {
  const at = all.findIndex(isIt);
  return at === -1 ? null : at + 1;
}

/** The same ones each time, while the state is the same. */
function chance<One>(all: readonly One[], most: number): One[] {
  const rest = [...all];
  const chosen: One[] = [];
  let seed = SEED;
  while (chosen.length < most && rest.length > 0) {
    // Park and Miller's generator.
    seed = (seed * 48_271) % 2_147_483_647;
    chosen.push(...rest.splice(seed % rest.length, 1));
  }
  return chosen;
}

export function printCorpus(findings: readonly CorpusFinding[]): void {
  const share = (found: readonly Found[], isIn: (one: Found) => boolean) =>
    `${found.filter(isIn).length}/${found.length}`;
  const inOutline = ({ outline }: Found) => outline !== null;
  const isShown = ({ shown }: Found) => shown !== null;
  const middle = (found: readonly Found[]) => {
    const ranks = found.flatMap(({ shown }) => shown ?? []);
    return String(ranks.sort((one, other) => one - other)[Math.floor(ranks.length / 2)] ?? '–');
  };
  printTable(
    'corpus',
    [
      'app',
      'keys',
      'all',
      'outline',
      'facts in it',
      'in state',
      'anywhere',
      'rank',
      'stated',
      'useful',
      'right',
      'sure',
      'listed',
      'actions',
    ],
    findings.map(
      ({
        app,
        confidence,
        keys,
        allKeys,
        outlineCharacters,
        facts,
        useful,
        sure,
        right,
        controls,
        usable,
        sample,
        actions,
      }) => [
        app,
        keys.toLocaleString('en-US'),
        allKeys.toLocaleString('en-US'),
        outlineCharacters.toLocaleString('en-US'),
        share(facts, inOutline),
        share(facts, isShown),
        share(facts, ({ isThere }) => isThere),
        middle(facts),
        confidence?.toFixed(2) ?? '–',
        `${useful}${sample.length < SAMPLE ? ` of ${sample.length}` : ''}`,
        `${right}/${sure}`,
        `${usable}/${controls}`,
        share(actions, inOutline),
        share(actions, isShown),
      ],
    ),
  );
  console.log('\nNot shown (in brackets: there when asked for):\n');
  for (const { app, facts, actions } of findings) {
    const missing = (found: readonly Found[]) =>
      found
        .filter(({ shown }) => shown === null)
        .map(({ ask, isThere }) => (isThere ? `(${ask})` : ask))
        .join(', ') || 'nothing';
    console.log(`- ${app}: ${missing(facts)}; actions: ${missing(actions)}`);
  }
  printCalibration(
    findings.flatMap(({ app, confidence, facts }) =>
      confidence === undefined ? [] : [{ app, confidence, found: facts.filter(isShown).length, facts: facts.length }],
    ),
  );
}
