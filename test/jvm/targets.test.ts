/** Programs that hold their state in ways of their own, or resist being read. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { jvm } from '../../src/probes/drivers/jvm/declaration.ts';
import { createJvmDriver } from '../../src/probes/drivers/jvm/driver.ts';
import { classesOf, jdks, startJava, startVm } from '../support/java.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { endAll } from '../support/real-processes.ts';
import { startScreen } from '../support/runtimes.ts';
import type { Target } from '../support/targets.ts';

const driver = createJvmDriver(jvm.settings.parse({}));
const targetsFolder = path.resolve(import.meta.dirname, '../targets/java');

afterEach(endAll);

describe('a Spring program', () => {
  it('shows its beans by their names, and calls them', async () => {
    const jars = fs.readFileSync(path.join(targetsFolder, 'spring/classpath'), 'utf8').trim();
    const target = await startVm(['-cp', `${classesOf('spring')}:${jars}`, 'com.example.bakery.BakeryApplication'], {
      ready: /ready/,
    });
    const app = await ProbedApp.attach(driver, target.info);
    const state = await app.read();
    expect(state).toMatchObject({
      'ovenService.slots': 4,
      'ovenService.temperature': 180,
      'orderBook.orders.length': 1,
      'orderBook.orders[0].bread': 'rye',
      'orderBook.orders[0].loaves': 2,
      'orderBook.apiToken': '[redacted]',
    });
    // The framework's own beans are no state of the app.
    expect(Object.keys(state).filter((key) => /spring|context|processor/i.test(key))).toEqual([]);
    // The effect of a method is proven piece by piece, within a budget for each capture.
    await app.until('the proofs', () => {
      const known = (name: string) => app.schema(name).reversibility;
      return (
        known('ovenService.setTemperature') === 'reversible_write' &&
        known('ovenService.freeSlots') === 'reversible_read'
      );
    });
    expect(app.schema('orderBook.place').reversibility).toBe('irreversible_write');
    const outcome = await app.invoke('orderBook.place', { bread: 'spelt', loaves: 3 });
    expect(outcome).toMatchObject({ ok: true, rawReturn: 2 });
    expect((await app.read())['orderBook.orders[1].bread']).toBe('spelt');
    // Objects of the state are named by their paths, in arguments and results.
    for (const order of [{ $ref: 'orderBook.orders[1]' }, '[ref] orderBook.orders[1]'])
      expect(await app.invoke('orderBook.repeat', { order })).toMatchObject({
        rawReturn: { length: 2, '[0]': '[ref] orderBook', '[1]': 'spelt' },
      });
    await expect(app.invoke('orderBook.repeat', { order: { $ref: 'nowhere[1]' } })).rejects.toThrow('nowhere[1]');
    await app.probe.detach();
  });
});

describe('a program that is started from its source file', () => {
  it('is what is shown, not the compiler that runs in the same JVM', async () => {
    const source = path.resolve(import.meta.dirname, '../../examples/TeaHouse.java');
    const target = await startVm([source], { ready: /open/ });
    const app = await ProbedApp.attach(driver, target.info);
    expect(await app.read()).toEqual({
      'teaHouse.takings': 3.5,
      'teaHouse.stock.size': 1,
      'teaHouse.stock.sencha': 11,
      'teaHouse.orders.length': 1,
      'teaHouse.orders[0].guest': 'Ada',
      'teaHouse.orders[0].tea': 'sencha',
      'teaHouse.orders[0].served': expect.any(Boolean),
    });
    expect([...app.actions.keys()]).toEqual(['teaHouse.order']);
    await app.probe.detach();
  });
});

describe('a program that keeps everything in main', () => {
  it.each(jdks().map(({ version }) => version))('is read by the names of its variables: Java %i', async (jdk) => {
    const target = await startJava({ target: 'locals', main: 'com.example.scores.Scores' }, { jdk, ready: /ready/ });
    const app = await ProbedApp.attach(driver, target.info);
    // `settings` was in the place of `game` before: the name is that of the current variable.
    expect(await app.read()).toEqual({
      'game.player': 'Ada',
      'names.length': 0,
      'points.length': 1,
      'points[0]': 7,
      'board.length': 2,
      'board[0].length': 2,
      'board[0][0]': 1,
      'board[0][1]': 0,
      'board[1].length': 2,
      'board[1][0]': 0,
      'board[1][1]': 2,
      'wins.size': 1,
      'wins["2"]': 4,
    });
    target.write('Grace\n');
    await app.until('the name', (seen) => seen['names[0]'] === 'Grace');
    await app.probe.detach();
  });
});

describe('a program that sets traps', () => {
  const HOSTILE = { target: 'hostile', main: 'com.example.hostile.Hostile' };

  it('is read without one of its methods being called, whatever locks are held', async () => {
    const target = await startJava(HOSTILE);
    const app = await ProbedApp.attach(driver, target.info, 20_000);
    for (let round = 0; round < 5; round++) await app.read();
    const { state } = app;
    expect(state).toMatchObject({
      'Hostile.table.held': 1,
      'Hostile.guarded.held': 2,
      'Hostile.circle.size': 2,
      'Hostile.million.length': 1_000_000,
    });
    expect(Object.values(state)).toContain(7);
    expect(app.capture?.coverage).toBeLessThan(1);
    expect(Object.keys(state).length).toBeLessThanOrEqual(20_000);
    await app.probe.detach();
    expect(target.output()).toBe('ready\n');
    expect(target.exitCode()).toBeNull();
  });

  it('lets no list of a million keep the rest from being seen', async () => {
    const app = await ProbedApp.attach(driver, (await startJava(HOSTILE)).info, 2000);
    const state = await app.read();
    for (const key of ['Hostile.table.size', 'Hostile.guarded.size', 'Hostile.circle.size', 'Hostile.million.length'])
      expect(state).toHaveProperty([key]);
    expect(Object.keys(state).some((key) => key.startsWith('Hostile.chain.'))).toBe(true);
    await app.probe.detach();
  });
});

describe('a program that never pauses', () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
  });

  async function startTight(leaves: number, heapMb: number): Promise<Target> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tight-'));
    folders.push(folder);
    const file = path.join(folder, 'longest');
    fs.writeFileSync(file, Buffer.alloc(8));
    return startJava(
      { target: 'tight', main: 'com.example.tight.Tight' },
      { args: [String(leaves), String(heapMb), file], options: ['-Xmx3g'] },
    );
  }

  it('goes on while it is looked into, and its whole state is read', async () => {
    const target = await startTight(100_000, 0);
    const app = await ProbedApp.attach(driver, target.info);
    const state = await app.read();
    expect(state['Tight.stock.items.length']).toBe(25_000);
    expect(state['Tight.stock.items[24999].name']).toBe('item 24999');
    expect(app.capture?.coverage).toBe(1);
    await app.read();
    expect(app.capture?.leaves).toEqual({ kind: 'same' });
    target.write('\n');
    await app.until('the change', (seen) => seen['Tight.stock.items[12500].count'] === 12_501);
    // Two values changed, and nothing else was sent.
    expect(app.capture?.leaves).toMatchObject({ kind: 'delta', added: [], removed: [] });
    await app.probe.detach();
  });

  it('is read alike whatever else is on its heap', async () => {
    const keys = async (heapMb: number) => {
      const app = await ProbedApp.attach(driver, (await startTight(1000, heapMb)).info);
      const state = await app.read();
      expect(app.capture?.coverage).toBe(1);
      await app.probe.detach();
      return Object.keys(state).sort();
    };
    expect(await keys(1024)).toEqual(await keys(0));
  });
});

describe('a program whose windows hold its state', () => {
  it('shows what its parts and listeners lead to, and none of what it is built of', async () => {
    const home = fs.mkdtempSync(path.join(os.tmpdir(), 'dice-'));
    try {
      const target = await startJava(
        { target: 'window', main: 'com.example.dice.DiceWindow' },
        { ready: /ready/, env: { DISPLAY: `:${await startScreen()}` }, options: [`-Duser.home=${home}`] },
      );
      const app = await ProbedApp.attach(driver, target.info);
      const state = await app.read();
      expect(state).toMatchObject({ 'table.turn': 1, 'table.seats[1]': 'Grace', 'diceWindow.throwsSoFar.length': 0 });
      expect(Object.keys(state).filter((key) => key.includes('marks'))).toEqual([]);
      // A busy event thread shows its windows at a later capture.
      await app.until('the window', () => app.actions.has('window.throw'));
      expect(await app.invoke('window.throw')).toMatchObject({ ok: true });
      await app.until('the throw', (seen) => seen['diceWindow.throwsSoFar[0]'] === 1 && seen['table.turn'] === 0);
      await app.probe.detach();
    } finally {
      await endAll();
      fs.rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    }
  });
});

describe('a program of virtual threads', () => {
  const able = jdks().filter(({ version }) => version >= 21);

  it.skipIf(able.length === 0)('shows what its main thread holds, and goes on', async () => {
    const target = await startJava(
      { target: 'virtual', main: 'com.example.ferry.Ferry' },
      { jdk: able.at(-1)?.version ?? 0, ready: /ready/ },
    );
    const app = await ProbedApp.attach(driver, target.info);
    expect(await app.read()).toMatchObject({ 'ferry.boarded': 0, 'ferry.passengers.length': 0 });
    expect(await app.invoke('ferry.board', { name: 'Ada' })).toMatchObject({ ok: true, rawReturn: 1 });
    expect(await app.read()).toMatchObject({ 'ferry.boarded': 1, 'ferry.passengers[0]': 'Ada' });
    await app.probe.detach();
    expect(target.exitCode()).toBeNull();
  });
});
