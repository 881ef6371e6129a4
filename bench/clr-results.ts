/** Tables of the figures. */
import type { HeapFigures } from './clr-heap.ts';
import type { DaemonFigures } from './shared/daemon-figures.ts';
import type { ProbeFigures } from './shared/probe-figures.ts';
import { ms, printTable } from './shared/stats.ts';

export interface ClrResult {
  readonly clr: string;
  readonly leaves: number;
  readonly heapMb: number;
  /** Longest pause without a capture. */
  readonly idlePause: number;
  readonly probe: ProbeFigures;
  readonly heap: HeapFigures;
  readonly daemon: DaemonFigures;
}

const name = ({ clr, probe, heapMb }: ClrResult) => `${clr}, ${probe.leaves}${heapMb > 0 ? ` in ${heapMb} MB` : ''}`;

export function printClr(results: readonly ClrResult[]): void {
  printTable(
    'The probe: milliseconds, medians',
    ['leaves', 'inject', 'first capture', 'full', 'unchanged', 'one change', 'look through the heap'],
    results.map((result) => {
      const { attach, firstCapture, fullCapture, same, oneChange } = result.probe;
      const times = [attach, firstCapture, fullCapture, same, oneChange, result.heap.look];
      return [name(result), ...times.map(({ median }) => ms(median))];
    }),
  );
  printTable(
    'Longest pause of a program that never pauses: milliseconds',
    ['leaves', 'nobody looks', 'during attaches', 'during 100 captures', 'during looks through the heap'],
    results.map((result) => [
      name(result),
      ...[result.idlePause, result.probe.attachPause, result.probe.pollsPause, result.heap.pauseMs].map(ms),
    ]),
  );
  printTable(
    'One read by HTTP: milliseconds, medians',
    ['leaves', 'first state', 'cached', 'fresh', 'fresh, parsed'],
    results.map((result) => {
      const { firstState, cached, fresh, freshParsed } = result.daemon;
      return [name(result), ...[firstState, cached.median, fresh.median, freshParsed.median].map(ms)];
    }),
  );
  printTable(
    'Memory of the program: MB resident, and alive on the heap',
    ['leaves', 'before', 'attached, after 100 captures', 'detached'],
    results.map((result) => {
      const { before, attached, detached } = result.probe.memory;
      return [name(result), ...[before, attached, detached].map(({ rssMb, heapMb }) => `${ms(rssMb)}, ${ms(heapMb)}`)];
    }),
  );
}
