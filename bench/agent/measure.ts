/** Every task on a fresh app, done by the same script with one tool and then with the other. */
import { setTimeout as delay } from 'node:timers/promises';
import type { RunningDaemon } from '../../test/support/daemon.ts';
import type { App, Task } from './app.ts';
import type { Counter, Hands } from './hands.ts';
import { writeTranscript } from './install.ts';
import { openPlaywright } from './playwright-hands.ts';
import { type Claim, solve } from './script.ts';
import { onStage, type Stage, startDaemon, substrateOn } from './stage.ts';

export type ToolName = 'substrate' | 'playwright';

export interface Finding {
  readonly app: string;
  readonly tool: ToolName;
  readonly kind: Task['kind'];
  readonly words: string;
  readonly solved: boolean;
  readonly calls: number;
  readonly characters: number;
  readonly seconds: number;
  /** The agent's answer, and the reason if it is wrong. */
  readonly answer: string;
  readonly trouble: string | null;
}

/** Counted from the start of the agent's wait. */
const EVENT_MS = 6000;
const CHECKS = 6;
const CHECK_MS = 500;
const LIMIT_MS = 120_000;

export async function measureApp(app: App, tools: readonly ToolName[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const tool of tools) {
    const daemon = tool === 'substrate' ? await startDaemon() : null;
    try {
      for (const task of app.tasks) {
        const finding = await onStage(app, (stage) => measureTask(app, task, tool, stage, daemon)).catch((error) =>
          failed(app, task, tool, error),
        );
        findings.push(finding);
        const { solved, calls, characters, seconds, trouble } = finding;
        console.error(
          `${app.name} ${task.kind} ${tool}: ${solved ? 'yes' : 'NO'} ${calls} ${characters} ${seconds.toFixed(1)} s ${trouble ?? ''}`,
        );
      }
    } finally {
      await daemon?.stop();
    }
  }
  return findings;
}

async function measureTask(
  app: App,
  task: Task,
  tool: ToolName,
  stage: Stage,
  daemon: RunningDaemon | null,
): Promise<Finding> {
  const hands =
    daemon === null ? await openPlaywright(stage.debugPort, stage.folder) : await substrateOn(daemon, stage.pid);
  try {
    const began = Date.now();
    const end = new AbortController();
    const event = happen(task, stage, end.signal);
    const claim = await inTime(solve(task.words, hands));
    const seconds = (Date.now() - began) / 1000;
    const hasHappened = event.hasHappened();
    end.abort();
    const solved = claim.done && hasHappened && (await isSo(task, stage, claim));
    write(app, task, tool, hands.counter, claim, solved);
    const { calls, characters } = hands.counter;
    const trouble = solved ? null : (claim.trouble ?? (hasHappened ? 'it is not so' : 'it had not happened yet'));
    const answer = claim.answer.slice(0, 300);
    return { ...named(app, task, tool), solved, calls: calls.length, characters, seconds, answer, trouble };
  } finally {
    await (hands as Hands).close();
  }
}

/** The effect of an action may arrive a moment later. */
async function isSo(task: Task, { truth }: Stage, { answer }: Claim): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    const found = await Promise.resolve(task.check(truth, answer)).catch(() => false);
    if (found || task.kind === 'read' || attempt === CHECKS) return found;
    await delay(CHECK_MS);
  }
}

function happen(task: Task, { truth }: Stage, signal: AbortSignal): { hasHappened(): boolean } {
  let happened = task.event === undefined;
  if (task.event !== undefined) {
    void delay(EVENT_MS, undefined, { signal })
      .then(() => {
        happened = true;
        return task.event?.(truth);
      })
      .catch(() => undefined);
  }
  return { hasHappened: () => happened };
}

const inTime = (work: Promise<Claim>): Promise<Claim> =>
  Promise.race([
    work,
    delay(LIMIT_MS, { done: false, answer: '', trouble: `not within ${LIMIT_MS / 1000} s` }, { ref: false }),
  ]);

const named = (app: App, { kind, words }: Task, tool: ToolName) => ({ app: app.name, tool, kind, words });

function failed(app: App, task: Task, tool: ToolName, error: unknown): Finding {
  const trouble = error instanceof Error ? error.message : String(error);
  return { ...named(app, task, tool), solved: false, calls: 0, characters: 0, seconds: 0, answer: '', trouble };
}

/** The whole transcript, for finding out why something failed. */
function write(app: App, task: Task, tool: ToolName, { calls }: Counter, claim: Claim, solved: boolean): void {
  const said = calls.map(({ tool, args, text }) => `>>> ${tool} ${JSON.stringify(args)}\n${text}`);
  const end = `=== ${solved ? 'solved' : 'not solved'}: ${JSON.stringify(claim)}`;
  const same = app.tasks.filter(({ kind }) => kind === task.kind);
  const number = same.length > 1 ? `-${same.indexOf(task) + 1}` : '';
  writeTranscript(`${app.name}-${task.kind}${number}-${tool}`, [task.words, ...said, end]);
}
