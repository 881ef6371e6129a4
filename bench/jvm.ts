/**
 * A Java program that never pauses, read by substrate and by the JDK's own tools, side by side on the same process.
 * `npm run bench jvm [leaves …]`; without sizes 1k, 10k and 100k leaves, and 1k leaves in a heap of 1 GB.
 */
import os from 'node:os';
import { jvm } from '../src/probes/drivers/jvm/declaration.ts';
import { createJvmDriver } from '../src/probes/drivers/jvm/driver.ts';
import { stopAll } from '../test/support/daemon.ts';
import { MAIN_JDK } from '../test/support/java.ts';
import { endAll } from '../test/support/real-processes.ts';
import { measurePeers } from './jvm-peers.ts';
import { type JvmResult, printJvm } from './jvm-results.ts';
import { startTight } from './jvm-target.ts';
import { measureDaemon } from './shared/daemon-figures.ts';
import { measureProbe } from './shared/probe-figures.ts';

const SIZES = [1000, 10_000, 100_000];
/** Megabytes of objects that are no state, which a heap walk would have to pass. */
const LARGE_HEAP_MB = 1024;

const driver = createJvmDriver(jvm.settings.parse({}));
const asked = process.argv.slice(2).map(Number);
const subjects = asked.length > 0 ? asked.map((leaves) => ({ leaves, heapMb: 0 })) : usualSubjects();
console.log(`JDK ${MAIN_JDK}, Node ${process.version}, ${os.cpus().length} cores, ${os.cpus()[0]?.model}`);
try {
  const results: JvmResult[] = [];
  for (const { leaves, heapMb } of subjects) {
    console.error(`… ${leaves} leaves, ${heapMb} MB beside them`);
    const target = await startTight(leaves, heapMb);
    const idle = await target.longestPause(3000);
    const probe = await measureProbe(target, driver);
    const daemon = await measureDaemon(target);
    // Last, because its management agent stays in the target.
    const peers = await measurePeers(target);
    results.push({ leaves, heapMb, idlePause: idle, probe, daemon, peers });
    await endAll();
  }
  printJvm(results);
} finally {
  await stopAll();
  await endAll();
}

function usualSubjects() {
  return [...SIZES.map((leaves) => ({ leaves, heapMb: 0 })), { leaves: 1000, heapMb: LARGE_HEAP_MB }];
}
