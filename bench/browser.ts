/**
 * Reading a page: substrate and common tools, side by side on the same pages in the same browser. `npm run bench
 * browser [leaves …]`; without sizes 1k, 10k and 100k leaves. Needs Debian's Chromium and npm's registry.
 */
import fs from 'node:fs';
import os from 'node:os';
import { type Chromium, startChromium } from '../test/support/chromium.ts';
import { stopAll } from '../test/support/daemon.ts';
import { startPageServer } from '../test/support/page-server.ts';
import { endAll } from '../test/support/real-processes.ts';
import { printClaims } from './browser-claims.ts';
import { type DaemonReader, openDaemon } from './browser-daemon.ts';
import { measureProbe } from './browser-probe.ts';
import { type PeerFigures, printResults, type Result, type Turns } from './browser-results.ts';
import { Tab } from './browser-tab.ts';
import { versionOfPeer } from './peers/load.ts';
import { openDevToolsMcp, openPlaywrightMcp } from './peers/mcp-servers.ts';
import { type OpenPeer, PUPPETEER_JSON } from './peers/peer.ts';
import { openPlaywright } from './peers/playwright.ts';
import { openPuppeteer } from './peers/puppeteer.ts';
import { repeat, repeatInTurn } from './shared/stats.ts';

const SIZES = [1000, 10_000, 100_000];
/** The number per email in the page's store. */
const LEAVES_PER_EMAIL = 4;
const PEERS: readonly OpenPeer[] = [openPuppeteer, openPlaywright, openPlaywrightMcp, openDevToolsMcp];
const PEER_PACKAGES = ['puppeteer-core', 'playwright-core', '@playwright/mcp', 'chrome-devtools-mcp'];
/** Some of these reads take seconds each. */
const PEER_REPETITIONS = { least: 3, most: 30, budgetMs: 5000 };
const PEER_BUSY_CALLS = 5;
const SLOW_MS = 1000;
const TURNS = { least: 10, most: 100, budgetMs: 5000 };

const BROWSER = '/usr/bin/chromium';

if (!fs.existsSync(BROWSER)) {
  console.log(`Skipped: there is no ${BROWSER}.`);
  process.exit(0);
}
const asked = process.argv.slice(2).map(Number);
const server = await startPageServer();
const chromium = await startChromium();
try {
  await printSurroundings(chromium);
  const results: Result[] = [];
  for (const size of asked.length > 0 ? asked : SIZES) {
    note(`about ${size} leaves`);
    const emails = Math.round(size / LEAVES_PER_EMAIL);
    results.push(await measurePage(chromium, `${server.origin}/react-rtk/?n=${emails}&rows=all`));
  }
  printResults(results);
  printClaims(results);
} finally {
  await stopAll();
  await chromium.close();
  await endAll();
  await server.close();
}

/** One after the other, never two at once: each has the page and the machine for itself. */
async function measurePage(browser: Chromium, url: string): Promise<Result> {
  const tab = await Tab.open(browser, url);
  const leaves = await tab.storeLeaves();
  note('the daemon');
  const reader = await openDaemon(browser, tab);
  const daemon = { firstState: reader.firstState, ...(await reader.measure()) };
  note('the daemon and puppeteer in turn');
  const turns = await takeTurns(browser, tab, reader);
  await reader.close();
  note('the probe by itself');
  const probe = await measureProbe(browser, tab);
  const peers = new Map<string, PeerFigures>();
  const failures: string[] = [];
  for (const open of PEERS) {
    await measurePeer(browser, tab, open, peers).catch((error: unknown) => {
      // A tool that gives up on a large page is a result, too.
      failures.push(error instanceof Error ? error.message.split('\n', 2).join(' ') : String(error));
    });
  }
  await tab.close();
  return { leaves, daemon, turns, probe, peers, failures };
}

async function measurePeer(browser: Chromium, tab: Tab, open: OpenPeer, to: Map<string, PeerFigures>): Promise<void> {
  const peer = await open(browser, tab.url);
  try {
    for (const { name, run } of peer.reads) {
      note(name);
      let size = 0;
      const read = async () => {
        size = await run();
        return undefined;
      };
      const timing = await repeat(read, PEER_REPETITIONS);
      const busy = await tab.busyPerCall(timing.median > SLOW_MS ? 1 : PEER_BUSY_CALLS, read);
      to.set(name, { timing, busy, size });
    }
  } finally {
    await peer.close();
  }
}

/** The closest comparison; both stay connected, and neither works when it is not its turn. */
async function takeTurns(browser: Chromium, tab: Tab, reader: DaemonReader): Promise<Turns> {
  const puppeteer = await openPuppeteer(browser, tab.url);
  const json = puppeteer.reads.find(({ name }) => name === PUPPETEER_JSON);
  if (!json) throw new Error('puppeteer reads no JSON');
  const works = { substrate: reader.freshParsed, puppeteer: json.run };
  try {
    return {
      same: await repeatInTurn(works, async () => undefined, TURNS),
      changed: await repeatInTurn(works, () => tab.touch(), TURNS),
    };
  } finally {
    await puppeteer.close();
  }
}

async function printSurroundings({ debugPort }: Chromium): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${debugPort}/json/version`);
  const { Browser: version } = (await answer.json()) as { Browser: string };
  const peers = PEER_PACKAGES.map((name) => `${name} ${versionOfPeer(name)}`);
  const [cpu] = os.cpus();
  const load = os.loadavg().map((value) => value.toFixed(1));
  console.log(`${version}, Node ${process.version}, ${os.cpus().length} x ${cpu?.model}, load ${load.join(' ')}`);
  console.log(peers.join(', '));
}

/** Progress for the user; only the tables go to standard output. */
function note(text: string): void {
  console.error(`${process.uptime().toFixed(0).padStart(4)} s: ${text}`);
}
