/** The JDK's own ways to read the same process: jcmd, and a JMX client. None of them shows the state. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { classesOf, javaOf, MAIN_JDK } from '../test/support/java.ts';
import { jcmd } from './jvm-target.ts';
import { repeat, summary, type Timing } from './shared/stats.ts';
import type { TightTarget } from './shared/tight-target.ts';

const run = promisify(execFile);
const JMX_ROUNDS = 10;
const FEW = { least: 3, most: 5, budgetMs: 5000 };

export interface PeerFigures {
  readonly name: string;
  readonly time: Timing;
  readonly pauseMs: number;
}

export async function measurePeers(target: TightTarget): Promise<readonly PeerFigures[]> {
  const figures: PeerFigures[] = [];
  for (const command of ['VM.version', 'Thread.print', 'GC.class_histogram', 'GC.heap_dump']) {
    const args = command === 'GC.heap_dump' ? [command, '-overwrite', '/dev/null'] : [command];
    const work = async () => void (await jcmd(target.pid, ...args));
    const { result, pauseMs } = await target.pauseDuring(() => repeat(work, FEW));
    figures.push({ name: `jcmd ${command}`, time: result, pauseMs });
  }
  const { result, pauseMs } = await target.pauseDuring(() => readByJmx(target.pid));
  return [...figures, ...result.map((figure) => ({ ...figure, pauseMs }))];
}

async function readByJmx(pid: number): Promise<Omit<PeerFigures, 'pauseMs'>[]> {
  const args = ['-cp', classesOf('jmxread'), '--add-modules', 'jdk.attach', 'JmxRead', String(pid), String(JMX_ROUNDS)];
  const { stdout } = await run(javaOf(MAIN_JDK), args);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
  const times = (what: string) => lines.filter(([name]) => name === what).map((line) => Number(line.at(-1)));
  const attributes = lines.find(([name]) => name === 'read')?.[1] ?? '?';
  return [
    { name: 'JMX: connect', time: summary(times('connect')) },
    { name: `JMX: read ${attributes} attributes`, time: summary(times('read')) },
  ];
}
