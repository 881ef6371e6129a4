/**
 * A C# program that never pauses, read by substrate, on the newest available .NET and on Mono. `npm run bench clr
 * [leaves …]`; without sizes 1k, 10k and 100k leaves, and 1k leaves beside 256 MB of other objects.
 */
import os from 'node:os';
import { clr } from '../src/probes/drivers/clr/declaration.ts';
import { createClrDriver } from '../src/probes/drivers/clr/driver.ts';
import { stopAll } from '../test/support/daemon.ts';
import { DOTNET } from '../test/support/dotnet.ts';
import { endAll } from '../test/support/real-processes.ts';
import { measureHeapLook } from './clr-heap.ts';
import { type ClrResult, printClr } from './clr-results.ts';
import { startTight } from './clr-target.ts';
import { measureDaemon } from './shared/daemon-figures.ts';
import { measureProbe } from './shared/probe-figures.ts';

const SIZES = [1000, 10_000, 100_000];
/** Megabytes of objects that are no state, which a heap scan has to pass. */
const LARGE_HEAP_MB = 256;

const driver = createClrDriver(clr.settings.parse({}));
const asked = process.argv.slice(2).map(Number);
const subjects = asked.length > 0 ? asked.map((leaves) => ({ leaves, heapMb: 0 })) : usualSubjects();
console.log(`Node ${process.version}, ${os.cpus().length} cores, ${os.cpus()[0]?.model}`);
try {
  const results: ClrResult[] = [];
  for (const clr of [DOTNET, 'mono'] as const)
    for (const { leaves, heapMb } of subjects) {
      console.error(`… ${clr}, ${leaves} leaves, ${heapMb} MB beside them`);
      const target = await startTight(clr, leaves, heapMb);
      const idlePause = await target.longestPause(3000);
      const probe = await measureProbe(target, driver);
      const heap = await measureHeapLook(target, driver);
      const daemon = await measureDaemon(target);
      results.push({ clr, leaves, heapMb, idlePause, probe, heap, daemon });
      await endAll();
    }
  printClr(results);
} finally {
  await stopAll();
  await endAll();
}

function usualSubjects() {
  return [...SIZES.map((leaves) => ({ leaves, heapMb: 0 })), { leaves: 1000, heapMb: LARGE_HEAP_MB }];
}
