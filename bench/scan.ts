/**
 * The cost of a scan with about a thousand processes: run it bundled, optionally with the number of extra processes.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { createHost } from '../src/host/host.ts';

const EXTRA_PROCESSES = Number(process.argv[2] ?? 1000);
const SCANS_PER_SECOND = 2;
const SETTLING_SCANS = 10;
const MEASURED_SCANS = 100;

/** They end by themselves if this program is killed. */
const sleepers: ChildProcess[] = [];
for (let started = 0; started < EXTRA_PROCESSES; started++) {
  sleepers.push(spawn('sleep', ['120'], { stdio: 'ignore' }));
}

try {
  const { scanner } = createHost();
  const first = await measure(1, () => scanner.scan());
  // Young processes are checked more often: the steady state comes after that.
  await measure(SETTLING_SCANS, () => scanner.scan());
  const steady = await measure(MEASURED_SCANS, () => scanner.scan());
  const { total } = await scanner.scan();
  const share = ((steady.cpuMs * SCANS_PER_SECOND) / 1000) * 100;
  console.log(`first scan of ${total} processes: ${text(first)}`);
  console.log(
    `later scans of ${total} processes: ${text(steady)}, ${share.toFixed(2)} % of a core at ${SCANS_PER_SECOND} scans per second`,
  );
} finally {
  for (const sleeper of sleepers) sleeper.kill('SIGKILL');
}

interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
}

async function measure(times: number, run: () => Promise<unknown>): Promise<Cost> {
  const cpuBefore = process.cpuUsage();
  const wallBefore = performance.now();
  for (let done = 0; done < times; done++) await run();
  const wallMs = performance.now() - wallBefore;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { wallMs: wallMs / times, cpuMs: (user + system) / 1000 / times };
}

function text({ wallMs, cpuMs }: Cost): string {
  return `${wallMs.toFixed(2)} ms wall, ${cpuMs.toFixed(2)} ms CPU per scan`;
}
