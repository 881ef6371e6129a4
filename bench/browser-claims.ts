/** The project's own claims, compared with the figures of this run. A failed claim is printed, not thrown. */
import type { Result } from './browser-results.ts';
import { BROWSER_SNAPSHOT, PUPPETEER_JSON, TAKE_SNAPSHOT } from './peers/peer.ts';
import { ms, times } from './shared/stats.ts';

const SNAPSHOT_FACTOR = 500;
const LARGE = 90_000;
const MAIN_THREAD_MS = 2;

export function printClaims(results: readonly Result[]): void {
  console.log('\n## Claims\n');
  for (const result of results) claimFresh(result);
  for (const result of results.filter(({ leaves }) => leaves >= LARGE)) claimUnchanged(result);
  for (const result of results) claimMainThread(result);
}

function say(holds: boolean, text: string): void {
  console.log(`- ${holds ? 'pass' : 'FAIL'}: ${text}`);
}

function claimFresh({ leaves, turns, probe, peers }: Result): void {
  const at = `${leaves.toLocaleString('en-US')} leaves`;
  for (const [kind, { substrate, puppeteer }] of Object.entries(turns)) {
    say(
      substrate.median <= puppeteer.median,
      `${at}, ${kind}: a fresh read, parsed (${ms(substrate.median)} ms), is at least as fast as ${PUPPETEER_JSON} (${ms(puppeteer.median)} ms)`,
    );
  }
  const bar = peers.get(PUPPETEER_JSON)?.timing.median ?? Number.NaN;
  const full = probe.full.median;
  say(full <= bar, `${at}: so is the probe when it has to send everything again (${ms(full)} ms to ${ms(bar)} ms)`);
}

/** Several ways to ask whether anything changed: each is printed, so that nobody has to guess which one is meant. */
function claimUnchanged({ leaves, daemon, probe, peers }: Result): void {
  const ways = [
    ['fresh read over HTTP, parsed', daemon.sameParsed.median],
    ['fresh read over HTTP', daemon.same.median],
    ['fresh read over HTTP, until the headers', daemon.sameFirstByte.median],
    ['the probe’s unchanged re-read', probe.same.median],
    ['`diff?since=`, without a new capture', daemon.diff.median],
  ] as const;
  for (const peer of [BROWSER_SNAPSHOT, TAKE_SNAPSHOT]) {
    const slow = peers.get(peer)?.timing.median ?? Number.NaN;
    if (Number.isNaN(slow)) {
      console.log(`- not measured: ${peer} at ${leaves.toLocaleString('en-US')} leaves`);
      continue;
    }
    for (const [name, value] of ways) {
      say(
        slow / value >= SNAPSHOT_FACTOR,
        `${leaves.toLocaleString('en-US')} leaves: ${name} (${ms(value)} ms) is ${times(slow / value)} faster than ${peer} (${ms(slow)} ms); at least ${SNAPSHOT_FACTOR} x are claimed`,
      );
    }
  }
}

function claimMainThread({ leaves, daemon, probe }: Result): void {
  const at = `${leaves.toLocaleString('en-US')} leaves`;
  const spent = probe.spentState.median + probe.spentDom.median;
  say(spent < MAIN_THREAD_MS, `${at}: the agents hold the main thread for ${ms(spent)} ms per unchanged poll`);
  const { cpu, tasks } = daemon.busy;
  say(
    cpu < MAIN_THREAD_MS,
    `${at}: Chromium counts ${ms(cpu)} ms of main-thread tasks per unchanged poll (${ms(tasks)} ms with waits for a core)`,
  );
}
