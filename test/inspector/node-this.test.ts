/** Objects that only the `this` of arrow functions leads to, or receivers of bound functions. */

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createHost } from '../../src/host/host.ts';
import { createV8Driver } from '../../src/probes/drivers/v8/driver.ts';
import type { Capture, CaptureDepth, Probe } from '../../src/probes/probe.ts';
import { attach, fast } from '../contract/probe-contract.ts';
import { startAttacher } from '../support/attacher.ts';
import { LeafReader } from '../support/leaf-reader.ts';
import { startProgram } from '../support/programs.ts';
import { endAll, until } from '../support/real-processes.ts';
import { startTarget, TARGET_NODE, type Target } from '../support/targets.ts';

const driver = createV8Driver({ heap_scan: true, heap_scan_max_mb: 256 });
const { inspector } = createHost();

/** Enough for several searches. */
const CAPTURES = 60;
const ONE_LINER =
  'class Mock { hits = 0; start() { http.createServer((q, r) => { this.hits++; r.end() }).listen(0, function () { console.log(this.address().port) }) } }; new Mock().start()';
const PRIVATE = `
class Rotator { #keys = [{ kid: 'sandpiper-7' }]; next() { return this.#keys[0]; } }
class Store { #rotator = new Rotator(); get() { return this.#rotator.next(); } }
class Issuer { #store = new Store(); sign() { return this.#store.get(); } }
class Desk {
  #server; issuer = new Issuer();
  constructor() { this.#server = http.createServer((q, r) => { this.issuer.sign(); r.end(); }); }
  start() { this.#server.listen(0, () => console.log('port')); }
}
const desk = new Desk(); desk.start(); process.on('exit', () => desk.issuer.sign());
`;
const ATTACHED = `
  import { createV8Driver } from './src/probes/drivers/v8/driver.ts';
  const driver = createV8Driver({ heap_scan: true, heap_scan_max_mb: 256 });
  const probe = await again(() => driver.attach(info, { ...tools, maxKeys: 200_000 }));
  const { waitsFor } = await probe.capture({ depth: 'fast', full: true, signal: AbortSignal.timeout(25_000) });
  console.log('attached, waits for', waitsFor);
`;

class Seen {
  readonly probe: Probe;
  private readonly reader = new LeafReader();
  last: Capture | null = null;

  constructor(probe: Probe) {
    this.probe = probe;
  }

  async state(depth: CaptureDepth = 'fast') {
    this.last = await this.probe.capture({ ...fast(), depth });
    return this.reader.apply(this.last.leaves).state();
  }

  until(key: string) {
    return until(key, async () => {
      const state = await this.state();
      return key in state ? state : null;
    });
  }
}

const see = async (target: Target) => new Seen(await attach(driver, target));
const isClosed = (target: Target) => inspector.listeners(target.info).every(({ port }) => port !== 9229);

/** The time of this many calls in the target, in ms. */
async function timeOf(target: Target, event: string, times: number): Promise<number> {
  const before = target.output().length;
  target.write(`${event} ${times}\n`);
  const found = await until(`${event} to be called`, () =>
    new RegExp(`${event} ${times} took (\\S+) ms`).exec(target.output().slice(before)),
  );
  return Number(found[1]);
}

/** With a breakpoint each call takes 0.2 ms, a thousand times as long as without. */
async function expectNoBreakpoint(target: Target, event: string): Promise<void> {
  const times = 3000;
  const first = await timeOf(target, event, times);
  const plain = await timeOf(target, 'plain', times);
  expect(first).toBeLessThan(plain * 10 + 200);
}

describe('the `this` of an arrow function', () => {
  afterEach(endAll);

  it('shows the object at the next request, and what it waits for until then', async () => {
    const target = await startProgram(TARGET_NODE, ['-e', ONE_LINER]);
    const seen = await see(target);
    expect(await seen.state()).toEqual({});
    expect(seen.last?.waitsFor).toBe('the next request of this server');
    expect(seen.last?.unseen).toBe('the object that handles the requests of this server');
    expect(await (await fetch(`http://127.0.0.1:${target.output().trim().split('\n')[0]}/`)).text()).toBe('');
    expect(await seen.until('mock.hits')).toEqual({ 'mock.hits': 1 });
    expect(seen.last?.waitsFor).toBeNull();
    await seen.probe.detach();
    expect(isClosed(target)).toBe(true);
  });

  it('is not waited for where an object is known that holds the server in a private field', async () => {
    const target = await startProgram(TARGET_NODE, ['-e', PRIVATE]);
    const seen = await see(target);
    const state = await seen.state();
    expect(seen.last?.unseen).toBeNull();
    // What is private may hold objects whose fields are all private, too.
    expect(state).toMatchObject({ 'desk.issuer.store.rotator.keys[0].kid': 'sandpiper-7' });
    await seen.probe.detach();
  });

  it('is not needed where the heap is looked through: no request has to come', async () => {
    const target = await startProgram(TARGET_NODE, ['-e', ONE_LINER]);
    const seen = await see(target);
    expect(await seen.state()).toEqual({});
    expect(await seen.state('deep')).toEqual({ 'mock.hits': 0 });
    expect(seen.last?.waitsFor).toBeNull();
    // Searches do not meet it, but it stays.
    for (let n = 0; n < CAPTURES; n++) expect(await seen.state()).toEqual({ 'mock.hits': 0 });
    await seen.probe.detach();
    expect(isClosed(target)).toBe(true);
  });
});

describe('what leads to an object besides variables', () => {
  let target: Target;
  let seen: Seen;
  beforeAll(async () => {
    const args = ['Mock', 'Ticker', 'Rows', 'Desk', 'Passing', 'Calls'];
    target = await startTarget('arrow-this.cjs', { args, nodeArgs: ['--expose-gc'] });
    seen = await see(target);
  });
  afterAll(endAll);

  it('is a timer with an async or an arrow function around a generator', async () => {
    await seen.until('ticker.ticks');
    const before = await seen.until('rows.last');
    await until('them to go on', async () => {
      const state = await seen.state();
      return state['ticker.ticks'] !== before['ticker.ticks'] && state['rows.read'] !== before['rows.read'];
    });
  });

  it('is a function that was bound', async () => {
    expect(await seen.until('desk.opened')).toMatchObject({ 'desk.opened': true });
  });

  it('is a server, with private fields', async () => {
    const port = (await until('the port', () => /port (\d+)/.exec(target.output())))[1];
    for (const path of ['a', 'b']) await fetch(`http://127.0.0.1:${port}/${path}`);
    expect(await seen.until('mock.paths[1]')).toMatchObject({ 'mock.hits': 2, 'mock.paths[1]': '/b' });
  });

  it('is left alone after its first call, in the middle of a loop', async () => {
    const plain = await timeOf(target, 'plain', 100_000);
    // The search has met it, or meets it now.
    for (let capture = 0; capture < 20; capture++) await seen.state();
    const first = await timeOf(target, 'hot', 100_000);
    const second = await timeOf(target, 'hot', 100_000);
    const state = await seen.until('calls.onhot');
    expect(state['calls.onhot']).toBe(200_000);
    for (const took of [first, second]) expect(took).toBeLessThan(plain * 10 + 500);
  });

  it('is let go when the app has dropped it', async () => {
    await seen.until('passing.stays');
    target.write('drop\n');
    await until('it to be let go', async () => !('passing.stays' in (await seen.state())));
    await until('it to be collected', async () => {
      await seen.state();
      target.write('collect\n');
      return target.output().includes('passing was collected');
    });
  });

  it('is not watched any more after the detach', async () => {
    await seen.probe.detach();
    await expectNoBreakpoint(target, 'rare');
    expect(isClosed(target)).toBe(true);
  });

  it('is not watched any more when the daemon was killed', async () => {
    const attacher = await startAttacher(target, ATTACHED);
    await until('the attach', () => /attached, waits for the next/.test(attacher.output()));
    await attacher.kill();
    await until('its connection to be closed', () => isClosed(target));
    await expectNoBreakpoint(target, 'killed');
    expect(target.exitCode()).toBeNull();
  });
});

describe('a program with a debugger of its own', () => {
  afterEach(endAll);

  it('stops where that one says, as often as before', async () => {
    const target = await startTarget('arrow-this.cjs', { args: ['Ticker', 'OwnDebugger'] });
    const seen = await see(target);
    await seen.until('ticker.ticks');
    const pauses = () => target.output().match(/paused: .*/g) ?? [];
    for (const count of [2, 4]) {
      target.write('stop\n');
      await until('its pauses', () => pauses().length >= count);
    }
    expect((await seen.until('ownDebugger.stops'))['ownDebugger.stops']).toBe(2);
    await seen.probe.detach();
    target.write('stop\n');
    await until('its pauses', () => pauses().length >= 6);
    expect(pauses()).toEqual(Array.from({ length: 6 }, (_, at) => `paused: other ${at % 2}`));
  });
});
