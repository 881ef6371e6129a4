/**
 * The probe alone, without daemon, engine and HTTP: the cost of a capture, and the times that the page's agents report.
 */

import { createHost } from '../src/host/host.ts';
import { NO_TRACE } from '../src/model/trace.ts';
import { BrowserProbe } from '../src/probes/drivers/v8/browser/browser-probe.ts';
import { createV8Driver } from '../src/probes/drivers/v8/driver.ts';
import type { CaptureRequest, Probe } from '../src/probes/probe.ts';
import { AMPLE } from '../test/support/budget.ts';
import type { Chromium } from '../test/support/chromium.ts';
import type { Tab } from './browser-tab.ts';
import { repeat, summary, type Timing } from './shared/stats.ts';

const MAX_KEYS = 200_000;
const CHANGES = 10;
const ATTACHES = 3;
const CAPTURE_TIMEOUT_MS = 60_000;

export interface ProbeFigures {
  /** The minimal cost of any query of the page. */
  readonly roundTrip: Timing;
  /** Attach and first capture, everything read. */
  readonly first: Timing;
  readonly same: Timing;
  readonly changed: Timing;
  /** Everything read and sent again, although nothing changed. */
  readonly full: Timing;
  /** How long the agents occupied the page's thread in one unchanged poll, by their own report. */
  readonly spentState: Timing;
  readonly spentDom: Timing;
  /** The same in a poll after one leaf changed. */
  readonly changedState: Timing;
  readonly changedDom: Timing;
}

export async function measureProbe(chromium: Chromium, tab: Tab): Promise<ProbeFigures> {
  const roundTrip = await repeat(async () => void (await tab.evaluate('1')));
  const firsts: number[] = [];
  let probe: Probe | null = null;
  for (let round = 0; round < ATTACHES; round++) {
    await probe?.detach();
    const began = performance.now();
    probe = await attach(chromium);
    await probe.capture(request(true));
    firsts.push(performance.now() - began);
  }
  if (!(probe instanceof BrowserProbe)) throw new Error('the browser was not taken for one');
  const attached = probe;
  try {
    const same = await repeat(async () => void (await attached.capture(request(false))), { most: 200 });
    const changes: number[] = [];
    for (let round = 0; round < CHANGES; round++) {
      await tab.touch();
      const began = performance.now();
      await attached.capture(request(false));
      changes.push(performance.now() - began);
    }
    const full = await repeat(async () => void (await attached.capture(request(true))));
    const spent = await spentTimes(attached, 100, async () => undefined);
    const changed = await spentTimes(attached, CHANGES, () => tab.touch());
    return {
      roundTrip,
      first: summary(firsts),
      same,
      changed: summary(changes),
      full,
      spentState: spent.state,
      spentDom: spent.dom,
      changedState: changed.state,
      changedDom: changed.dom,
    };
  } finally {
    await attached.detach();
  }
}

function attach(chromium: Chromium): Promise<Probe> {
  const { inspector, signal } = createHost();
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const abort = new AbortController().signal;
  const driver = createV8Driver({ heap_scan: false, heap_scan_max_mb: 1 });
  return driver.attach(chromium.info, {
    inspect: inspector,
    signal,
    log,
    trace: NO_TRACE,
    maxKeys: MAX_KEYS,
    budget: AMPLE,
    abort,
  });
}

function request(full: boolean): CaptureRequest {
  return { depth: 'fast', full, signal: AbortSignal.timeout(CAPTURE_TIMEOUT_MS) };
}

/** Queries the page itself: a capture does not include the times of the agents. */
async function spentTimes({ page }: BrowserProbe, polls: number, before: () => Promise<void>) {
  const state: number[] = [];
  const dom: number[] = [];
  for (let round = 0; round < polls; round++) {
    await before();
    const poll = await page?.poll(false, null, AbortSignal.timeout(CAPTURE_TIMEOUT_MS));
    state.push(poll?.parts.get('state')?.spentMs ?? Number.NaN);
    dom.push(poll?.parts.get('dom')?.spentMs ?? Number.NaN);
  }
  return { state: summary(state), dom: summary(dom) };
}
