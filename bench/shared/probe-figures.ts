/** The probe alone: attach, captures, and their effect on the program. */
import type { ProbeDriver } from '../../src/probes/probe.ts';
import { attach, fast, full } from '../../test/contract/probe-contract.ts';
import { LeafReader } from '../../test/support/leaf-reader.ts';
import { until } from '../../test/support/real-processes.ts';
import { repeat, summary, type Timing } from './stats.ts';
import type { TightTarget } from './tight-target.ts';

export interface ProbeFigures {
  readonly leaves: number;
  readonly attach: Timing;
  readonly attachPause: number;
  /** The first capture of a fresh agent: classes are loaded, roots are searched. */
  readonly firstCapture: Timing;
  readonly fullCapture: Timing;
  readonly same: Timing;
  readonly oneChange: Timing;
  /** Longest pause of the program during a hundred captures without a change. */
  readonly pollsPause: number;
  readonly memory: { readonly before: Memory; readonly attached: Memory; readonly detached: Memory };
}

interface Memory {
  readonly rssMb: number;
  /** The live heap: measured after a collection, which comes after `rssMb`. */
  readonly heapMb: number;
}

const ROUNDS = 5;
const POLLS = 100;
const CHANGES = 20;

export async function measureProbe(target: TightTarget, driver: ProbeDriver): Promise<ProbeFigures> {
  const memory = await measureMemory(driver, target);
  const attaches: number[] = [];
  const firsts: number[] = [];
  let attachPause = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now();
    const { result: probe, pauseMs } = await target.pauseDuring(() => attach(driver, target));
    attaches.push(performance.now() - began);
    attachPause = Math.max(attachPause, pauseMs);
    const asked = performance.now();
    await probe.capture(full());
    firsts.push(performance.now() - asked);
    await probe.detach();
  }
  const probe = await attach(driver, target);
  const first = await probe.capture(full());
  const reader = new LeafReader().apply(first.leaves);
  const same = await repeat(async () => void (await probe.capture(fast())), { most: 200 });
  const fullCapture = await repeat(async () => void (await probe.capture(full())));
  const { pauseMs: pollsPause } = await target.pauseDuring(async () => {
    for (let poll = 0; poll < POLLS; poll++) await probe.capture(fast());
  });
  const changes: number[] = [];
  for (let round = 0; round < CHANGES; round++) {
    target.change();
    await until('the change', async () => {
      const began = performance.now();
      const { leaves } = await probe.capture(fast());
      if (leaves.kind === 'delta') changes.push(performance.now() - began);
      return leaves.kind === 'delta';
    });
  }
  await probe.detach();
  return {
    leaves: Object.keys(reader.state()).length,
    attach: summary(attaches),
    attachPause,
    firstCapture: summary(firsts),
    fullCapture,
    same,
    oneChange: summary(changes),
    pollsPause,
    memory,
  };
}

/** As in daily use: one attach, everything once, then polls. */
async function measureMemory(driver: ProbeDriver, target: TightTarget): Promise<ProbeFigures['memory']> {
  const look = async () => ({ rssMb: target.rssMb(), heapMb: await target.liveHeapMb() });
  const before = await look();
  const probe = await attach(driver, target);
  await probe.capture(full());
  for (let poll = 0; poll < POLLS; poll++) await probe.capture(fast());
  const attached = await look();
  await probe.detach();
  return { before, attached, detached: await look() };
}
