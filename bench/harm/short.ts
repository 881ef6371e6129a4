/** Many short programs, many at a time: each has to end as without a daemon. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { cleanEnv, startProgram } from '../shared/proc.ts';
import { compileJava, compileMono } from './compiled.ts';
import { type HarmDaemon, withDaemon } from './harm-daemon.ts';
import { type Findings, type Goal, type Row, say } from './results.ts';
import { planShort, SERVER, type ShortProgram } from './short-plan.ts';

const AT_A_TIME = 30;
/** Added to its life, before it counts as hanging. */
const HANG_MS = 60_000;
const MOST_EXAMPLES = 5;

interface Outcome {
  readonly kind: string;
  /** It ended differently, or its output was changed. */
  readonly isHarmed: boolean;
  readonly isWrittenInto: boolean;
}

interface Pass {
  readonly outcomes: readonly Outcome[];
  readonly seconds: number;
  readonly daemonCpu: number;
  readonly attaches: number;
}

export function prepareShort(): void {
  compileJava();
  compileMono();
}

export async function measureShort(count: number): Promise<Findings> {
  const server = http.createServer((_request, response) => response.end('ok'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // It listens on a port, not on a path.
  const { port } = server.address() as AddressInfo;
  const plan = planShort(count, port);
  try {
    const off = await runPass(plan, null);
    const on = await withDaemon(true, (daemon) => runPass(plan, daemon));
    return { rows: rowsOf(off, on), goals: goalsOf(on) };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function runPass(plan: readonly ShortProgram[], daemon: HarmDaemon | null): Promise<Pass> {
  const began = performance.now();
  const cpuBefore = daemon?.cpu() ?? 0;
  const touched = daemon?.watchAttaches();
  const outcomes: Outcome[] = [];
  const waiting = [...plan];
  let examples = 0;
  const work = async () => {
    for (let program = waiting.shift(); program !== undefined; program = waiting.shift()) {
      const { outcome, text } = await runShort(program);
      outcomes.push(outcome);
      if ((outcome.isHarmed || outcome.isWrittenInto) && program.kind !== SERVER && examples++ < MOST_EXAMPLES)
        say(text);
      if (outcomes.length % 100 === 0) say(`short programs, daemon ${daemon ? 'on' : 'off'}: ${outcomes.length}`);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  const attaches = (await touched?.())?.size ?? 0;
  const seconds = (performance.now() - began) / 1000;
  return { outcomes, seconds, daemonCpu: (daemon?.cpu() ?? 0) - cpuBefore, attaches };
}

async function runShort(program: ShortProgram): Promise<{ outcome: Outcome; text: string }> {
  const [file = '', ...args] = program.command;
  const running = startProgram(file, args, { env: cleanEnv(os.tmpdir()) });
  const { child } = running;
  child.stdin?.on('error', () => {});
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const timer = setTimeout(() => child.kill('SIGKILL'), program.lifeMs + HANG_MS);
  await feed(program, (piece) => child.stdin?.write(piece));
  child.stdin?.end();
  await closed;
  clearTimeout(timer);
  const isWrong = child.exitCode !== program.code || running.stdout() !== program.stdout;
  const outcome = { kind: program.kind, isHarmed: isWrong, isWrittenInto: running.stderr() !== '' };
  const end = `${child.signalCode ?? child.exitCode} instead of ${program.code}`;
  const output = JSON.stringify([running.stdout().slice(0, 200), running.stderr().slice(0, 400)]);
  return { outcome, text: `${program.kind}, ${program.lifeMs} ms: ended with ${end}, ${output}` };
}

async function feed({ input, lifeMs }: ShortProgram, write: (piece: string) => void): Promise<void> {
  for (const piece of input) {
    write(piece);
    await delay(lifeMs / input.length);
  }
}

const countOf = (outcomes: readonly Outcome[], is: (outcome: Outcome) => boolean) => outcomes.filter(is).length;

function rowsOf(off: Pass, on: Pass): Row[] {
  const kinds = [...new Set(off.outcomes.map(({ kind }) => kind))].sort();
  const cell = (outcomes: readonly Outcome[]) =>
    `${countOf(outcomes, ({ isHarmed }) => isHarmed)} / ${countOf(outcomes, ({ isWrittenInto }) => isWrittenInto)}`;
  const rows = kinds.map((kind): Row => {
    const of = (pass: Pass) => pass.outcomes.filter((outcome) => outcome.kind === kind);
    const note = kind === SERVER ? 'listens for over 3 s: an app, which is attached to' : '';
    const what = `short programs, ${kind}: harmed / written into`;
    return {
      what,
      off: cell(of(off)),
      on: cell(of(on)),
      difference: '',
      note: [`of ${of(on).length}`, note].join(' '),
    };
  });
  const daemon = `${on.daemonCpu.toFixed(2)} s of CPU, ${((on.daemonCpu / on.seconds) * 100).toFixed(1)} % of a core`;
  const last: Row = {
    what: `short programs, ${on.outcomes.length}, ${AT_A_TIME} at a time: seconds`,
    off: off.seconds.toFixed(1),
    on: on.seconds.toFixed(1),
    difference: `${(on.seconds / off.seconds).toFixed(3)} x`,
    note: `the daemon: ${daemon}, ${on.attaches} attaches`,
  };
  return [...rows, last];
}

function goalsOf({ outcomes }: Pass): Goal[] {
  const plain = outcomes.filter(({ kind }) => kind !== SERVER);
  const written = countOf(plain, ({ isWrittenInto }) => isWrittenInto);
  const harmed = countOf(outcomes, ({ isHarmed }) => isHarmed);
  return [
    { what: 'short programs: harmed', wanted: '0', found: `${harmed} of ${outcomes.length}`, isMet: harmed === 0 },
    {
      what: 'short programs that do not listen: written into',
      wanted: '0',
      found: `${written} of ${plain.length}`,
      isMet: written === 0,
    },
  ];
}
