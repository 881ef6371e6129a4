import { once } from 'node:events';
import fs from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ActionResponse, ErrorBody, SubstrateState, WatchMessage } from '../../src/model/wire.ts';
import { makeHome, makeKey, RunningDaemon, stopAll } from '../support/daemon.ts';
import { CLRS, type Clr, DOTNET, here, isHere, startDotnet } from '../support/dotnet.ts';
import { endAll, until } from '../support/real-processes.ts';
import type { Target } from '../support/targets.ts';

type Reply = ActionResponse & ErrorBody;

let daemon: RunningDaemon;
let target: Target;

async function end(): Promise<void> {
  await stopAll();
  await endAll();
}

async function begin(clr: Clr, env: Record<string, string> = {}, home = makeHome()): Promise<void> {
  target = await startDotnet(clr, 'shop');
  daemon = await RunningDaemon.start(home, { env: { SUBSTRATE_PROBE__INTERVAL_MS: '100', ...env } });
  await daemon.state(target.pid);
}
const read = async () => (await daemon.get<SubstrateState>(`/substrate/v1/state/${target.pid}?fresh=true`)).body;
const act = (body: object) => daemon.post<Reply>('/substrate/v1/action', { pid: target.pid, parameters: {}, ...body });

/** One daemon and one program for all of them, in this order. */
describe.each<Clr>(['mono', DOTNET])('a program behind the daemon: %s', (clr) => {
  beforeAll(() => begin(clr));
  afterAll(end);

  it('is served with what its fields hold', async () => {
    const state = await read();
    expect(state).toMatchObject({
      app_name: 'Shop',
      runtime: 'clr',
      probe_metadata: { probe_tier: 'clr_mmf', dom_tier_used: false },
      objects: {
        'Counter.Shop.Name': 'Corner Café',
        'Counter.Shop.Opened': '2019-05-17T08:30:00Z',
        'Counter.Shop.Guests[0].Name': 'Ada',
        'Counter.Shop.Guests[0].Status': 'Regular',
        'Counter.Shop.Prices["flat white"]': 3.4,
      },
    });
    expect(state.confidence).toBeGreaterThan(0.8);
  });

  it('does what it is told and proves it, and says which method ran', async () => {
    const { status, body } = await act({
      action: 'Counter.Shop.Serve',
      parameters: { drink: 'espresso' },
      verify_expression: 'Counter.Shop.Served === 1',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      executed: true,
      runtime: 'clr',
      raw_return: 1,
      verification: { passed: true },
      invocation_context: null,
      message: expect.stringMatching(
        /\(called: Coffee\.CoffeeShop\.Serve\(string drink\) -> int, on CoffeeShop@[0-9a-f]+, in thread .+\)$/,
      ),
      state_delta: { 'Counter.Shop.Served': { before: 0, after: 1 } },
    });
  });

  it('reports what the program throws as a result', async () => {
    const { status, body } = await act({
      action: 'Counter.Shop.Serve',
      parameters: { drink: 'mud' },
      verify_expression: 'Counter.Shop.Served === 1',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: false,
      executed: true,
      message: expect.stringContaining('we have no mud'),
      raw_return: { exception: 'System.ArgumentException', message: 'we have no mud' },
    });
  });

  it('refuses values that do not fit before anything runs', async () => {
    const { status, body } = await act({
      action: 'Counter.Shop.Welcome',
      parameters: { guest: 'Linus', status: 'King' },
      verify_expression: 'Counter.Shop.Guests.length === 3',
    });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      code: 'invalid_request',
      message: 'parameters.status is "King"; expected one of New, Regular, Vip.',
    });
    expect((await read()).objects['Counter.Shop.Guests.length']).toBe(2);
  });

  it('takes null where the program does, and refuses it where it does not', async () => {
    const motto = (value: unknown) =>
      act({
        action: 'Counter.Shop.setMotto',
        parameters: { motto: value },
        verify_expression: 'Counter.Shop.Served >= 0',
      });
    expect((await motto('Fresh')).body).toMatchObject({ success: true });
    expect((await motto(null)).body).toMatchObject({ success: true });
    expect((await read()).objects['Counter.Shop.Motto']).toBeNull();
    const { status, body } = await act({
      action: 'Counter.Shop.ServeSlowly',
      parameters: { drink: 'espresso', milliseconds: null },
      verify_expression: 'Counter.Shop.Served >= 0',
    });
    expect(status).toBe(400);
    expect(body.error.message).toMatch(/^parameters\.milliseconds is null; expected /);
  });

  it('tells watchers of what the program does by itself', async () => {
    const socket = daemon.watch(target.pid);
    await once(socket, 'open');
    const message = once(socket, 'message');
    target.write('o');
    const [data] = await message;
    const { changed_keys } = JSON.parse(String(data)) as WatchMessage;
    expect(changed_keys).toContain('Counter.Shop.Served');
  });
});

describe('a .NET or Mono program behind a daemon of its own', () => {
  afterEach(end);

  it.runIf(isHere('net9'))('shows what only a running thread holds, unless that is switched off', async () => {
    await begin(DOTNET);
    expect((await read()).objects).toMatchObject({ 'barista.Name': 'Nora', 'barista.Shifts': 0 });
    await stopAll();
    await endAll();
    await begin('net9', { SUBSTRATE_PROBE__CLR__HEAP: 'false' });
    expect(Object.keys((await read()).objects).filter((key) => key.startsWith('barista'))).toEqual([]);
  });

  // Recognised by the names of threads, which .NET Core 3.1 does not pass to the system.
  it.each(here<Clr>('mono', 'net9'))('needs no second injection after the daemon was killed: %s', async (clr) => {
    const home = makeHome();
    const { key } = await makeKey(home);
    await begin(clr, {}, home);
    const threads = () => threadsOf(target.pid).filter(({ name }) => name.startsWith('substrate'));
    const before = threads();
    expect(before.length).toBeGreaterThan(0);
    daemon.child.kill('SIGKILL');
    await once(daemon.child, 'exit');
    daemon = await RunningDaemon.start(home, { key, env: { SUBSTRATE_PROBE__INTERVAL_MS: '100' } });
    expect((await daemon.state(target.pid)).objects['Counter.Shop.Name']).toBe('Corner Café');
    expect(threads()).toEqual(expect.arrayContaining(before.slice(0, 1)));
  });

  it.each(CLRS)('leaves nothing behind when the daemon stops: %s', async (clr) => {
    await begin(clr);
    const said = target.output();
    const folders = () => fs.readdirSync('/dev/shm').filter((name) => name.startsWith(`substrate-clr-${target.pid}-`));
    expect(folders()).toHaveLength(1);
    await daemon.stop();
    await until('the folder to be gone', () => folders().length === 0);
    // The attach thread stays: it replaces Mono's own thread for attaches, which cannot continue.
    const isOurs = ({ name }: { name: string }) => name.startsWith('substrate') && name !== 'substrate-mono';
    await until('the threads to be gone', () => !threadsOf(target.pid).some(isOurs));
    // Recognised by our file names, since the folder of a clone is named substrate. A runtime never unloads an
    // assembly.
    const ours = openFiles(target.pid).filter((file) => /\/substrate-clr-|\/SubstrateClr_/.test(file));
    expect(ours.filter((file) => !file.endsWith('.dll (deleted)'))).toEqual([]);
    expect(target.exitCode()).toBeNull();
    expect(target.output()).toBe(said);
    target.write('q');
    expect(await target.exited).toBe(7);
  });
});

function threadsOf(pid: number): { id: string; name: string }[] {
  return fs.readdirSync(`/proc/${pid}/task`).map((id) => ({
    id,
    name: fs.readFileSync(`/proc/${pid}/task/${id}/comm`, 'utf8').trim(),
  }));
}

function openFiles(pid: number): string[] {
  return fs.readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [fs.readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      return [];
    }
  });
}
