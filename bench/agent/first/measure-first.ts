/**
 * First contact: programs that substrate has never met. The facts that their users would ask for were written before,
 * so that the found share can be compared with the stated confidence.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { SubstrateState } from '../../../src/model/wire.ts';
import type { RunningDaemon } from '../../../test/support/daemon.ts';
import type { App, Task } from '../app.ts';
import { type Entry, entriesOf, type Fact, isFact } from '../corpus.ts';
import { writeTranscript } from '../install.ts';
import { measureApp } from '../measure.ts';
import { attachTo, onStage, SETTLE_MS, startDaemon } from '../stage.ts';
import type { FirstApp } from './first-app.ts';

interface FoundFact {
  readonly ask: string;
  /** The line with the fact, in the shown state, or among all keys; null if there is none. */
  readonly shown: string | null;
  readonly anywhere: string | null;
  /** In the state with `fresh=true`; absent in older measurements. */
  readonly fresh?: string | null;
}

interface SolvedTask {
  readonly kind: Task['kind'];
  readonly words: string;
  readonly solved: boolean;
  readonly trouble: string | null;
}

export interface FirstFinding {
  readonly app: string;
  readonly kind: string;
  /** The daemon's name for it; empty if unknown. */
  readonly shownAs: string;
  /** The reason of a refusal, or null. */
  readonly refusal: string | null;
  readonly secondsToState: number | null;
  readonly keys: number;
  readonly allKeys: number;
  readonly confidence: number;
  /** The reason for the confidence; absent in older measurements. */
  readonly reason?: string;
  /** With `fresh=true`. */
  readonly freshConfidence?: number;
  readonly facts: readonly FoundFact[];
  readonly tasks: readonly SolvedTask[];
}

type Contact = Omit<FirstFinding, 'tasks'>;

export async function measureFirst(app: FirstApp, factsOnly: boolean): Promise<readonly FirstFinding[]> {
  const contact = await meet(app);
  console.error(`${app.name}: ${contact.refusal ?? `${contact.keys} keys, confidence ${contact.confidence}`}`);
  const tasks = factsOnly ? [] : await measureApp(app, ['substrate']);
  return [
    {
      ...contact,
      tasks: tasks.map(({ kind, words, solved, trouble }) => ({ kind, words, solved, trouble })),
    },
  ];
}

/** Without substrate: checks that the program starts, can be filled, and does what a task waits for. */
export async function rehearse(app: App): Promise<void> {
  for (const task of app.tasks) {
    await onStage(app, async ({ truth }) => {
      const before = task.kind === 'read' ? false : await Promise.resolve(task.check(truth, '')).catch(() => false);
      await task.event?.(truth);
      await delay(1000);
      const after = task.kind === 'wait' ? await task.check(truth, '') : null;
      console.log(
        `${app.name} ${task.kind}: started and filled; before ${before}${after === null ? '' : `, after ${after}`}`,
      );
    });
  }
}

async function meet(app: FirstApp): Promise<Contact> {
  const daemon = await startDaemon();
  try {
    return await onStage(app, ({ pid }) => contactWith(app, daemon, pid));
  } finally {
    await daemon.stop();
  }
}

async function contactWith({ name, kind, facts }: FirstApp, daemon: RunningDaemon, pid: number): Promise<Contact> {
  const began = Date.now();
  const none = { app: name, kind, keys: 0, allKeys: 0, confidence: 0, facts: facts.map(missing), secondsToState: null };
  const body = await attachTo(daemon, pid);
  const shownAs = (await daemon.app(pid))?.app_name ?? '';
  const { probe_status = 'not attached', reason = body.error?.message } = body;
  if (probe_status !== 'active') return { ...none, shownAs, refusal: `${probe_status}: ${reason}` };
  await daemon.state(pid);
  const secondsToState = (Date.now() - began) / 1000;
  await delay(SETTLE_MS);
  // First the daemon's own state, then the state after a request to capture again.
  const { body: state } = await daemon.get<SubstrateState>(`/substrate/v1/state/${pid}`);
  const all = await entriesOf(daemon, pid, '?all=true');
  const { body: looked } = await daemon.get<SubstrateState>(`/substrate/v1/state/${pid}?fresh=true`);
  const shown = entriesIn(state);
  const fresh = entriesIn(looked);
  const lineOf = (fact: Fact, entries: readonly Entry[]) => {
    const found = entries.find((entry) => isFact(fact, entry));
    return found === undefined ? null : `${found.key} = ${String(found.value).slice(0, 120)}`;
  };
  const inShown = new Set(shown.map(({ key }) => key));
  writeTranscript(`${name}-first`, [
    `confidence ${state.confidence}: ${state.confidence_reason}`,
    `fresh: confidence ${looked.confidence}: ${looked.confidence_reason}`,
    `fresh only:\n${fresh.flatMap(({ key, value }) => (inShown.has(key) ? [] : `${key} = ${JSON.stringify(value)}`)).join('\n')}`,
    all.map(({ key, value }) => `${inShown.has(key) ? '+' : '-'} ${key} = ${JSON.stringify(value)}`).join('\n'),
    Object.keys(state.actions).join('\n'),
  ]);
  return {
    ...none,
    shownAs: state.app_name,
    refusal: null,
    secondsToState,
    keys: shown.length,
    allKeys: all.length,
    confidence: state.confidence,
    reason: state.confidence_reason,
    freshConfidence: looked.confidence,
    facts: facts.map((fact) => ({
      ask: fact.ask,
      shown: lineOf(fact, shown),
      anywhere: lineOf(fact, all),
      fresh: lineOf(fact, fresh),
    })),
  };
}

/** None where the answer was an error. */
const entriesIn = ({ objects = {} }: Partial<SubstrateState>): Entry[] =>
  Object.entries(objects).map(([key, value]) => ({ key, value }));

const missing = ({ ask }: Fact): FoundFact => ({ ask, shown: null, anywhere: null });
