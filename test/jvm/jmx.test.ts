/** Management beans of a real program: attributes as state, operations as actions. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { jvm } from '../../src/probes/drivers/jvm/declaration.ts';
import { createJvmDriver } from '../../src/probes/drivers/jvm/driver.ts';
import { BadArgumentError, NotDispatchedError } from '../../src/probes/probe.ts';
import { SHOP, startJava } from '../support/java.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { endAll } from '../support/real-processes.ts';
import type { Target } from '../support/targets.ts';

const config = jvm.settings.parse({});
const driver = createJvmDriver(config);
const WAREHOUSE = { target: 'jmx', main: 'Warehouse' };
const BEANS = 'jmx["com.example.warehouse"]';
const SHELF = `${BEANS}.Shelf.main`;

afterEach(endAll);

async function open(): Promise<{ app: ProbedApp; target: Target }> {
  const target = await startJava(WAREHOUSE, { ready: /ready/ });
  const app = await ProbedApp.attach(driver, target.info);
  await app.until('the beans', (state) => `${SHELF}.Items` in state);
  return { app, target };
}

describe('management beans', () => {
  it('shows attributes by domain, type and name, and those of the JDK not at all', async () => {
    const { app } = await open();
    expect(app.state).toMatchObject({
      [`${SHELF}.Items`]: 5,
      [`${SHELF}.Label`]: 'tea',
      [`${BEANS}.Climate.Load.used`]: 42,
      [`${BEANS}.Climate.Loads.length`]: 2,
      [`${BEANS}.Climate.Loads[1].zone`]: 'west',
      [`${BEANS}.Climate.Temperatures["cold room"]`]: 4,
      [`${BEANS}.Door.north.Open`]: false,
    });
    const others = Object.keys(app.state).filter((key) => key.startsWith('jmx') && !key.startsWith(BEANS));
    expect(others).toEqual([]);
  });

  it('asks an attribute that throws or is slow less often', async () => {
    const { app } = await open();
    await app.until('the slow one', (state) => state[`${SHELF}.Slow`] === 7);
    expect(app.state).not.toHaveProperty([`${SHELF}.Broken`]);
    for (const label of ['one', 'two', 'three']) {
      await app.invoke(`${SHELF}.set_Label`, { value: label });
      await app.until(label, (state) => state[`${SHELF}.Label`] === label);
    }
    expect(app.state[`${SHELF}.BrokenCalls`]).toBe(1);
    expect(Number(app.state[`${SHELF}.SlowCalls`])).toBeLessThanOrEqual(2);
  });

  it('does without beans that block, and takes them back when they answer', async () => {
    const { app } = await open();
    const [left, right] = [`${BEANS}.Gate.left`, `${BEANS}.Gate.right`];
    for (const gate of [left, right]) {
      expect(app.state).toMatchObject({ [`${gate}.Passed`]: 0, [`${gate}.Waiting`]: 0 });
      await app.invoke(`${gate}.close`);
    }
    const gates = (state: object) => Object.keys(state).filter((key) => key.startsWith(`${BEANS}.Gate`));
    await app.until('no value that nobody vouches for', (state) => gates(state).length === 0);
    for (const label of ['one', 'two']) {
      await app.invoke(`${SHELF}.set_Label`, { value: label });
      await app.until(`${label}, of a bean that is read after them`, (state) => state[`${SHELF}.Label`] === label);
      expect(gates(app.state)).toEqual([]);
    }
    for (const gate of [left, right]) {
      await app.invoke(`${gate}.open`);
      await app.until('it to be back', (state) => state[`${gate}.Passed`] === 1 && state[`${gate}.Waiting`] === 0);
    }
  });

  it('calls operations and sets attributes, and says in which context', async () => {
    const { app } = await open();
    expect(await app.invoke(`${SHELF}.restock`, { number: 3 })).toEqual({
      ok: true,
      message: 'restock returned 8',
      rawReturn: 8,
      invocationContext: {
        class: 'Warehouse$Shelf',
        method: 'restock',
        descriptor: '(int)',
        instance: 'com.example.warehouse:name=main,type=Shelf',
        thread: expect.any(String),
      },
    });
    await app.until('the items', (state) => state[`${SHELF}.Items`] === 8);
    expect(await app.invoke(`${SHELF}.restock`, { number: 1, text: 'gift' })).toMatchObject({ rawReturn: 9 });
    expect(await app.invoke(`${BEANS}.Climate.measure`, { text: 'roof' })).toMatchObject({
      ok: true,
      rawReturn: { used: 9, zone: 'roof' },
    });
    const failed = await app.invoke(`${SHELF}.burn`);
    expect(failed).toMatchObject({ ok: false, rawReturn: { exception: 'java.lang.IllegalStateException' } });
    expect(failed.message).toContain('no fire here');
    await expect(app.invoke(`${SHELF}.restock`, { number: 'many' })).rejects.toBeInstanceOf(BadArgumentError);
    expect(app.schema(`${SHELF}.set_Label`).reversibility).toBe('reversible_write');
    expect(app.schema(`${SHELF}.restock`).reversibility).toBe('irreversible_write');
  });

  it('judges operations by their code: one that only reads needs no proof, whatever it says of itself', async () => {
    const { app } = await open();
    await app.until('the code to be read', () => app.schema(`${SHELF}.inventory`).judged !== false);
    expect(app.schema(`${SHELF}.inventory`).reversibility).toBe('reversible_read');
    expect(app.schema(`${SHELF}.restock`).reversibility).toBe('irreversible_write');
    expect(await app.invoke(`${SHELF}.inventory`, { text: 'all: ' })).toMatchObject({
      ok: true,
      rawReturn: 'all: tea',
    });
  });

  it('makes constants and objects of classes of the program for an operation', async () => {
    const { app } = await open();
    expect(await app.invoke(`${SHELF}.turn`, { side: 'LEFT' })).toMatchObject({ rawReturn: 'to the LEFT' });
    await expect(app.invoke(`${SHELF}.turn`, { side: 'UP' })).rejects.toThrow('expected one of LEFT, RIGHT');
    const objectName = 'com.example.warehouse:type=Shelf,name=main';
    const parcel = { to: 'Oslo', weight: 3 };
    expect(await app.invoke(`${SHELF}.ship`, { parcel, objectName })).toMatchObject({ rawReturn: 'Oslo 3 main' });
    await expect(app.invoke(`${SHELF}.ship`, { parcel: { to: 'Oslo', price: 3 }, objectName })).rejects.toThrow(
      'has no field price; it has to, weight',
    );
    await expect(app.invoke(`${SHELF}.ship`, { parcel, objectName: 'main' })).rejects.toThrow(
      'expected the name of a management bean',
    );
  });

  it('makes one action of what many beans of one type can do', async () => {
    const { app } = await open();
    const [bean] = app.schema(`${BEANS}.Door.set_Open`).parameters;
    expect(bean).toMatchObject({ name: 'bean', description: 'one of: east | north | south | west' });
    await app.invoke(`${BEANS}.Door.set_Open`, { bean: 'south', value: true });
    const state = await app.until('the door', (seen) => seen[`${BEANS}.Door.south.Open`] === true);
    expect(state[`${BEANS}.Door.north.Open`]).toBe(false);
    await expect(app.invoke(`${BEANS}.Door.set_Open`, { bean: 'roof', value: true })).rejects.toThrow('no such bean');
  });

  it('follows beans that come and go', async () => {
    const { app, target } = await open();
    target.write('\n');
    await app.until('a second shelf', (state) => state[`${BEANS}.Shelf.annex.Items`] === 5);
    const binding = app.actions.get(`${BEANS}.Shelf.annex.restock`)?.binding ?? '';
    target.write('\n');
    await app.until('it to be gone', (state) => !(`${BEANS}.Shelf.annex.Items` in state));
    await expect(app.probe.invoke(binding, { number: 1 }, AbortSignal.timeout(25_000))).rejects.toBeInstanceOf(
      NotDispatchedError,
    );
  });

  it('never takes a bean of one server for that of another', async () => {
    const { app } = await open();
    const depot = `${BEANS}.Depot`;
    expect(app.state).toMatchObject({ [`${depot}.City`]: 'Oslo', [`${depot}["2"].City`]: 'Bergen' });
    const binding = app.actions.get(`${depot}.move`)?.binding ?? '';
    await app.invoke(`${depot}.outlive_2`);
    const call = app.probe.invoke(binding, { text: 'Rome' }, AbortSignal.timeout(25_000));
    await expect(call).rejects.toBeInstanceOf(NotDispatchedError);
    const state = await app.until('one of them', (seen) => !(`${depot}["2"].City` in seen));
    expect(state[`${depot}.City`]).toBe('Bergen');
  });

  it('can be switched off, and does not bring them into a program that has none', async () => {
    const target = await startJava(WAREHOUSE, { ready: /ready/ });
    const app = await ProbedApp.attach(createJvmDriver({ ...config, jmx: false }), target.info);
    const keys = Object.keys(await app.read());
    expect(keys.filter((key) => key.startsWith('jmx'))).toEqual([]);
    expect([...app.actions.keys()].filter((name) => name.startsWith('jmx'))).toEqual([]);

    const log = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'loaded-')), 'classes');
    const shop = await startJava(SHOP, { options: [`-Xlog:class+load:file=${log}`] });
    const other = await ProbedApp.attach(driver, shop.info);
    await other.read();
    await other.read();
    const loaded = fs.readFileSync(log, 'utf8');
    fs.rmSync(path.dirname(log), { recursive: true });
    expect(loaded).toContain('java.lang.Object ');
    for (const name of ['javax.management.MBeanServerFactory', 'java.awt.Window'])
      expect(loaded).not.toContain(`${name} `);
  });
});
