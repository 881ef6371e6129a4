/** Tables of the figures. */

import type { PeerFigures } from './jvm-peers.ts';
import type { DaemonFigures } from './shared/daemon-figures.ts';
import type { ProbeFigures } from './shared/probe-figures.ts';
import { ms, printTable } from './shared/stats.ts';

export interface JvmResult {
  readonly leaves: number;
  readonly heapMb: number;
  /** Longest pause without a capture. */
  readonly idlePause: number;
  readonly probe: ProbeFigures;
  readonly daemon: DaemonFigures;
  readonly peers: readonly PeerFigures[];
}

const name = ({ probe, heapMb }: JvmResult) => `${probe.leaves}${heapMb > 0 ? ` in ${heapMb} MB` : ''}`;

export function printJvm(results: readonly JvmResult[]): void {
  printTable(
    'The probe: milliseconds, medians',
    ['leaves', 'attach', 'first capture', 'full', 'unchanged', 'one change'],
    results.map((result) => {
      const { attach, firstCapture, fullCapture, same, oneChange } = result.probe;
      return [name(result), ...[attach, firstCapture, fullCapture, same, oneChange].map(({ median }) => ms(median))];
    }),
  );
  printTable(
    'Longest pause of a program that never pauses: milliseconds',
    ['leaves', 'nobody looks', 'during attaches', 'during 100 captures', ...peerNames(results)],
    results.map((result) => [
      name(result),
      ms(result.idlePause),
      ms(result.probe.attachPause),
      ms(result.probe.pollsPause),
      ...result.peers.map(({ pauseMs }) => ms(pauseMs)),
    ]),
  );
  printTable(
    'One read: milliseconds, medians. Only the first four show the state',
    ['leaves', 'first state', 'cached', 'fresh', 'fresh, parsed', ...peerNames(results)],
    results.map((result) => {
      const { firstState, cached, fresh, freshParsed } = result.daemon;
      const own = [firstState, cached.median, fresh.median, freshParsed.median];
      return [name(result), ...[...own, ...result.peers.map(({ time }) => time.median)].map(ms)];
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

function peerNames(results: readonly JvmResult[]): string[] {
  return results[0]?.peers.map((peer) => peer.name) ?? [];
}
