/** Programs in containers, seen by a daemon on the host and by one beside them. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AppSummary, Attachment } from '../../src/model/wire.ts';
import { canContain, inContainer } from '../support/container.ts';
import { BINARY, makeHome, RunningDaemon, run, stopAll } from '../support/daemon.ts';
import { DOTNET, startDotnet } from '../support/dotnet.ts';
import { SHOP, startJava } from '../support/java.ts';
import { Podman } from '../support/podman.ts';
import { readableBy, removeCopies, startProgram } from '../support/programs.ts';
import { endAll, until } from '../support/real-processes.ts';
import type { Target } from '../support/targets.ts';

const NOBODY = 65534;
const TARGETS = path.resolve(import.meta.dirname, '../targets');
const SCRIPT = path.join(TARGETS, 'shop.cjs');
const asNobody = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
/** Users of containers are others on the host. */
const EVERYBODY = { SUBSTRATE_SCANNER__OTHER_USERS: 'true' };
const startShop = (by?: string[]) => startProgram(process.execPath, [SCRIPT], by === undefined ? {} : { by });

describe.runIf(canContain())('a daemon on the host', () => {
  let home: string;
  let daemon: RunningDaemon;
  let copies: Target[];
  let outside: Target;
  let others: Target[];

  beforeAll(async () => {
    home = makeHome();
    [outside, ...copies] = await Promise.all([
      startShop(),
      startShop(inContainer({ hostname: 'box-1' })),
      startShop(inContainer({ hostname: 'box-2', isRootless: true })),
    ]);
    const asOther = (hostname: string) => ({ by: [...inContainer({ hostname, hasUserRange: true }), ...asNobody] });
    others = await Promise.all([
      startJava(SHOP, asOther('box-3')),
      startDotnet('mono', 'shop', asOther('box-4')),
      startDotnet(DOTNET, 'shop', asOther('box-5')),
    ]);
    daemon = await RunningDaemon.start(home, { env: EVERYBODY });
  });
  afterAll(async () => {
    await stopAll();
    await endAll();
  });

  const app = (pid: number) =>
    until(`the state of ${pid}`, async () => {
      const found = await daemon.app(pid);
      return found?.has_state && found;
    });

  const both = async (): Promise<[AppSummary, AppSummary]> => {
    const [first, second] = await Promise.all(copies.map(({ pid }) => app(pid)));
    if (!first || !second) throw new Error('there are not two of them');
    return [first, second];
  };

  it('tells the copies of a service apart, and knows them again when it is started anew', async () => {
    const see = () => Promise.all([outside, ...copies, ...others].map(({ pid }) => app(pid)));
    const before = await see();
    expect(before.map(({ app_name }) => app_name)).toEqual([
      ...['shop', 'shop@box-1', 'shop@box-2'],
      ...['Coffeeshop@box-3', 'Shop@box-4', 'Shop@box-5'],
    ]);
    const ids = before.map(({ app_id }) => app_id);
    expect(new Set(ids).size).toBe(6);
    const { body } = await daemon.get<{ apps: Attachment[] }>('/substrate/v1/attach');
    const originOf = (pid: number | undefined) => body.apps.find((found) => found.pid === pid)?.origin;
    expect(originOf(outside.pid)).toBeNull();
    expect(originOf(copies[0]?.pid)).toEqual({ engine: null, id: null, name: 'box-1', pod: null });
    await daemon.stop();
    daemon = await RunningDaemon.start(home, { key: daemon.key, env: EVERYBODY });
    expect((await see()).map(({ app_id }) => app_id)).toEqual(ids);
  });

  it('acts in the one that was named, and in no other', async () => {
    const [{ app_id, pid: first }, { pid: second }] = await both();
    const parameters = { name: 'pear', price: 3 };
    const request = { app_id, action: 'cart.addItem', parameters, verify_expression: 'cart.items.length === 2' };
    expect((await daemon.post('/substrate/v1/action', request)).body).toMatchObject({ success: true });
    const lengthOf = async (pid: number) => (await daemon.state(pid)).objects['cart.items.length'];
    await until('the change', async () => (await lengthOf(first)) === 2);
    expect([await lengthOf(second), await lengthOf(outside.pid)]).toEqual([1, 1]);
  });

  it('is asked on the command line by the name of the container', async () => {
    const env = { SUBSTRATE_SERVER__PORT: new URL(daemon.base).port, SUBSTRATE_KEY: daemon.key };
    const [, { pid }] = await both();
    const { stdout, stderr } = await run(home, ['state', 'shop@box-2', '--json'], env);
    expect(JSON.parse(stdout || stderr)).toMatchObject({ app_name: 'shop@box-2', pid });
  });

  it('says why it may not enter a network, before it touches the program', async () => {
    const target = await startProgram(process.execPath, [path.join(readableBy(NOBODY, TARGETS), 'shop.cjs')], {
      by: ['unshare', '-n', ...asNobody],
      cwd: '/',
    });
    const dist = readableBy(NOBODY, path.dirname(BINARY));
    const doctor = [process.execPath, path.join(dist, 'substrate.js'), 'doctor', '--json'];
    const { stdout } = spawnSync('setpriv', [...asNobody.slice(1), ...doctor], {
      env: { PATH: process.env.PATH, HOME: '/nonexistent' },
      encoding: 'utf8',
      cwd: '/',
    });
    const { processes } = z
      .object({ processes: z.array(z.looseObject({ pid: z.number() })) })
      .parse(JSON.parse(stdout));
    expect(processes.find(({ pid }) => pid === target.pid)).toMatchObject({
      status: 'blocked',
      blocker: expect.stringContaining('it needs the capability SYS_ADMIN'),
      remedy: expect.stringContaining('docs/containers.md'),
    });
    expect(target.output()).not.toMatch(/Debugger/);
  });
});

describe.runIf(canContain())('a daemon without any right', () => {
  const script = path.join(readableBy(NOBODY, TARGETS), 'shop.cjs');
  afterAll(async () => {
    await endAll();
    removeCopies();
  });

  /** What a daemon says of this process that is started by `by`, asked and ended there, too. */
  function ask(by: readonly string[], pid: number): unknown {
    const home = fs.mkdtempSync('/tmp/substrate-beside-');
    fs.chownSync(home, NOBODY, NOBODY);
    const dist = path.join(readableBy(NOBODY, path.dirname(BINARY)), 'substrate.js');
    const commands = `"$@" up >/dev/null && "$@" state ${pid} --json; "$@" down >/dev/null`;
    const [program = '', ...args] = [...by, 'sh', '-c', commands, 'sh', process.execPath, dist];
    const env = { PATH: process.env.PATH, HOME: home, SUBSTRATE_SERVER__PORT: '7700' };
    const { stdout, stderr } = spawnSync(program, args, { env, encoding: 'utf8', cwd: '/', timeout: 50_000 });
    fs.rmSync(home, { recursive: true, force: true });
    return JSON.parse(stdout || stderr);
  }

  it('reads a program of its user with which it shares processes and network', async () => {
    const by = [...inContainer({ prepare: `cp -r ${path.dirname(script)} /tmp/targets` }), ...asNobody];
    const target = await startProgram(process.execPath, ['/tmp/targets/shop.cjs'], { by, cwd: '/' });
    // Its own mounts: files of the program are seen through /proc alone.
    const beside = ['nsenter', '-t', String(target.pid), '-p', '-n', 'unshare', '-m', '--mount-proc', ...asNobody];
    expect(ask(beside, 1)).toMatchObject({ pid: 1, objects: { 'settings.currency': 'EUR' } });
  });

  it('reads a program in a container that its user has made', async () => {
    const by = [...asNobody, ...inContainer({ isRootless: true, hostname: 'box-1' })];
    const { pid } = await startProgram(process.execPath, [script], { by, cwd: '/' });
    expect(ask(asNobody, pid)).toMatchObject({ app_name: 'shop@box-1', objects: { 'settings.currency': 'EUR' } });
  });
});

const whyNoPodman = Podman.whyNot();
describe.skipIf(whyNoPodman !== null)(`containers of Podman${whyNoPodman ? ` (skipped: ${whyNoPodman})` : ''}`, () => {
  const podman = new Podman();
  afterAll(async () => {
    await stopAll();
    podman.remove();
  });

  it('are told apart by their names, and read', async () => {
    const pids = ['web-1', 'web-2'].map((name) => podman.run(name, [process.execPath, SCRIPT], TARGETS));
    const daemon = await RunningDaemon.start(makeHome());
    const found: AppSummary[] = [];
    for (const pid of pids) {
      const state = await daemon.state(pid);
      expect(state.objects['settings.currency']).toBe('EUR');
      const summary = await daemon.app(pid);
      if (summary) found.push(summary);
    }
    expect(found.map(({ app_name }) => app_name)).toEqual(['shop@web-1', 'shop@web-2']);
    expect(found[0]?.origin).toEqual({ engine: 'podman', id: podman.idOf('web-1'), name: 'web-1', pod: null });
    expect(new Set(found.map(({ app_id }) => app_id)).size).toBe(2);
  });
});
