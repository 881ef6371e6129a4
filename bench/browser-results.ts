/** The tables. */
import type { DaemonFigures } from './browser-daemon.ts';
import type { ProbeFigures } from './browser-probe.ts';
import type { BusyTime } from './browser-tab.ts';
import { PUPPETEER_JSON } from './peers/peer.ts';
import { ms, printTable, type Timing, times } from './shared/stats.ts';

export interface PeerFigures {
  readonly timing: Timing;
  readonly busy: BusyTime;
  /** Keys, or characters of a text. */
  readonly size: number;
}

/** A fresh read, parsed, and the same with puppeteer, in turns. */
type Turn = Readonly<Record<'substrate' | 'puppeteer', Timing>>;
export interface Turns {
  readonly same: Turn;
  readonly changed: Turn;
}

export interface Result {
  /** The size of the page's store. */
  readonly leaves: number;
  readonly daemon: DaemonFigures;
  readonly turns: Turns;
  readonly probe: ProbeFigures;
  /** By the name of the read. */
  readonly peers: ReadonlyMap<string, PeerFigures>;
  /** Errors of tools that could not read the page. */
  readonly failures: readonly string[];
}

export function printResults(results: readonly Result[]): void {
  printReads(results);
  printTurns(results);
  printPeers(results);
  printMainThread(results);
  printParts(results);
}

const both = ({ median, p95 }: Timing) => `${ms(median)} / ${ms(p95)}`;
const all = (timing: Timing) => `${ms(timing.best)} / ${both(timing)}`;
const columns = (results: readonly Result[]) => results.map(({ leaves }) => `${leaves.toLocaleString('en-US')} leaves`);

function printReads(results: readonly Result[]): void {
  const row = (name: string, timing: (result: Result) => Timing) => [
    name,
    ...results.map((result) => all(timing(result))),
  ];
  printTable(
    'substrate over HTTP (best / median / p95, ms)',
    ['', ...columns(results)],
    [
      ['keys served', ...results.map(({ daemon }) => daemon.keys.toLocaleString('en-US'))],
      ['found by', ...results.map(({ daemon }) => daemon.tier)],
      ['body, MB', ...results.map(({ daemon }) => (daemon.bytes / 1e6).toFixed(2))],
      row('cached read', ({ daemon }) => daemon.cached),
      row('cached read, until the headers', ({ daemon }) => daemon.cachedFirstByte),
      row('cached read, parsed', ({ daemon }) => daemon.cachedParsed),
      row('fresh, unchanged', ({ daemon }) => daemon.same),
      row('fresh, unchanged, until the headers', ({ daemon }) => daemon.sameFirstByte),
      row('fresh, unchanged, parsed', ({ daemon }) => daemon.sameParsed),
      row('fresh, one leaf changed, parsed', ({ daemon }) => daemon.changedParsed),
      row('`diff?since=`', ({ daemon }) => daemon.diff),
      row('`capture_latency_ms`', ({ daemon }) => daemon.captureLatency),
      row('click to watch notification', ({ daemon }) => daemon.watch),
      row('… of which the click itself', ({ daemon }) => daemon.click),
      row('first state, from the ready line', ({ daemon }) => daemon.firstState),
    ],
  );
  printTable(
    'The probe by itself (best / median / p95, ms)',
    ['', ...columns(results)],
    [
      row('evaluate `1`, for comparison', ({ probe }) => probe.roundTrip),
      row('capture, unchanged', ({ probe }) => probe.same),
      row('capture, one leaf changed', ({ probe }) => probe.changed),
      row('capture, everything again', ({ probe }) => probe.full),
      row('attach and first capture', ({ probe }) => probe.first),
    ],
  );
}

function printTurns(results: readonly Result[]): void {
  const rows = results.flatMap(({ leaves, turns }) =>
    (['same', 'changed'] as const).map((kind) => {
      const { substrate, puppeteer } = turns[kind];
      return [
        `${leaves.toLocaleString('en-US')} leaves, ${kind === 'same' ? 'unchanged' : 'one leaf changed'}`,
        all(substrate),
        all(puppeteer),
        times(puppeteer.median / substrate.median),
        times(puppeteer.best / substrate.best),
      ];
    }),
  );
  printTable(
    'A fresh read of everything, turn by turn (best / median / p95, ms)',
    ['', 'substrate, HTTP and parse', PUPPETEER_JSON, 'ratio of the medians', 'ratio of the best'],
    rows,
  );
}

function printPeers(results: readonly Result[]): void {
  for (const { leaves, daemon, probe, peers, failures } of results) {
    const own = [
      ['**substrate** fresh, unchanged, parsed', daemon.sameParsed],
      ['**substrate** fresh, one leaf changed, parsed', daemon.changedParsed],
      ['**substrate** capture, unchanged', probe.same],
    ] as const;
    const bar = peers.get(PUPPETEER_JSON)?.timing.median ?? Number.NaN;
    const cells = (name: string, timing: Timing, size: string) => [
      name,
      ms(timing.best),
      ms(timing.median),
      ms(timing.p95),
      String(timing.count),
      size,
      times(timing.median / daemon.sameParsed.median),
      times(timing.median / probe.same.median),
      times(timing.median / bar),
    ];
    printTable(
      `Side by side, ${leaves.toLocaleString('en-US')} leaves`,
      ['read', 'best ms', 'median ms', 'p95 ms', 'runs', 'size', '/ fresh', '/ capture', '/ puppeteer JSON'],
      [
        ...own.map(([name, timing]) => cells(name, timing, `${daemon.keys.toLocaleString('en-US')}`)),
        ...[...peers].map(([name, { timing, size }]) => cells(name, timing, size.toLocaleString('en-US'))),
      ],
    );
    for (const failure of failures) console.log(`\nCould not be measured: ${failure}`);
  }
  console.log('\nSizes are keys, of a snapshot its characters. A ratio is the time of the row by that of the column.');
}

function printMainThread(results: readonly Result[]): void {
  const row = (name: string, value: (result: Result) => number) => [
    name,
    ...results.map((result) => ms(value(result))),
  ];
  const names = [...(results[0]?.peers.keys() ?? [])];
  printTable(
    "The page's main thread, ms per read",
    ['', ...columns(results)],
    [
      row('**substrate** unchanged, as its agents say', ({ probe }) => probe.spentState.median + probe.spentDom.median),
      row('… of which the state agent', ({ probe }) => probe.spentState.median),
      row('… p95 of both', ({ probe }) => probe.spentState.p95 + probe.spentDom.p95),
      row('**substrate** unchanged, all tasks as Chromium counts them', ({ daemon }) => daemon.busy.tasks),
      row('… without the time in which it had to wait for a core', ({ daemon }) => daemon.busy.cpu),
      row('**substrate** one leaf changed, its state agent', ({ probe }) => probe.changedState.median),
      row('**substrate** one leaf changed, its DOM agent', ({ probe }) => probe.changedDom.median),
      ...names.map((name) => row(name, ({ peers }) => peers.get(name)?.busy.cpu ?? Number.NaN)),
    ],
  );
}

/** The parts of the time of a fresh read. */
function printParts(results: readonly Result[]): void {
  const row = (name: string, value: (result: Result) => number) => [
    name,
    ...results.map((result) => ms(value(result))),
  ];
  printTable(
    'Where a fresh read spends its time (medians, ms)',
    ['', ...columns(results)],
    [
      row('capture: the agents in the page', ({ probe }) => probe.spentState.median + probe.spentDom.median),
      row(
        'capture: the way to the page and back',
        ({ probe }) => probe.same.median - probe.spentState.median - probe.spentDom.median,
      ),
      row('HTTP: a request and its headers', ({ daemon }) => daemon.cachedFirstByte.median),
      row(
        'daemon: all else before the body',
        ({ daemon, probe }) => daemon.sameFirstByte.median - probe.same.median - daemon.cachedFirstByte.median,
      ),
      row('moving the body', ({ daemon }) => daemon.same.median - daemon.sameFirstByte.median),
      row('the client parses it', ({ daemon }) => daemon.sameParsed.median - daemon.same.median),
      row('together', ({ daemon }) => daemon.sameParsed.median),
    ],
  );
}
