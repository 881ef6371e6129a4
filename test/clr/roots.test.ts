/** The roots of a .NET or Mono program: each way of holding state, and code that a read must not run. */
import { afterEach, describe, expect, it } from 'vitest';
import { CLRS, startDotnet } from '../support/dotnet.ts';
import type { ProbedApp } from '../support/probed-app.ts';
import { endAll } from '../support/real-processes.ts';
import type { Target } from '../support/targets.ts';
import { attachWhenStarted } from './attach-when-started.ts';

afterEach(endAll);

describe.each(CLRS)('a program on %s', (clr) => {
  async function begin(): Promise<{ target: Target; app: ProbedApp; said: string }> {
    const target = await startDotnet(clr, 'holders', { ready: /ready/ });
    return { target, app: await attachWhenStarted(target), said: target.output() };
  }

  const origins = (app: ProbedApp) => Object.fromEntries((app.capture?.roots ?? []).map((r) => [r.name, r.origin]));
  const rootsOf = (state: object) => new Set(Object.keys(state).map((key) => key.split(/[.[]/)[0]));

  it('shows the static fields of types that it has used, and runs no initialiser of others', async () => {
    const { target, app, said } = await begin();
    const state = await app.read();
    expect(state).toMatchObject({
      'Exact.Basket.Apples': 4,
      'Exact.Basket.Notes[0]': 'fresh',
      'Loose.Basket.Apples': 3,
      'Loose.Seven': 7,
      'Plain.Count': 2,
      'Plain.Basket': null,
    });
    const isTrap = (root: string | undefined) => /Trap|Late\b|Unused|Constants|Colour|<|\$/.test(root ?? '');
    expect([...rootsOf(state)].filter(isTrap)).toEqual([]);
    expect(origins(app)).toMatchObject({ Exact: 'static fields of Holders.Exact' });
    await app.read('deep');
    for (let round = 0; round < 10; round++) await app.read();
    expect(target.output()).toBe(said);
    target.write('q');
    expect({ code: await target.exited, output: target.output() }).toEqual({ code: 3, output: said });
  });

  it('shows a type that it uses later, once it does', async () => {
    const { target, app, said } = await begin();
    expect(await app.read()).not.toHaveProperty(['Late.Basket.Apples']);
    target.write('l');
    await app.until('the type', (state) => state['Late.Basket.Apples'] === 11);
    expect(target.output()).toBe(`${said}late: 11\n`);
    await app.probe.detach();
  });

  it('shows what timers call, and the variables that a closure was given', async () => {
    const { app } = await begin();
    const before = await app.read();
    expect(origins(app)).toMatchObject({ counter: 'timer', alarm: 'timer', basket: 'timer' });
    for (const key of ['counter.Beats', 'alarm.Rings', 'basket.Apples'])
      await app.until(`another ${key}`, (state) => Number(state[key]) > Number(before[key]));
    const closure = Object.keys(before).find((key) => key.endsWith('.turns'));
    expect(closure).toBeDefined();
    await app.until('a turn', (state) => Number(state[closure ?? '']) > Number(before[closure ?? '']));
    await app.probe.detach();
  });

  it('shows the variables of an async method that waits, and whose method it is', async () => {
    const { app } = await begin();
    // At some moments it does not wait but runs.
    const before = await app.until('the method', () => origins(app).poller === 'async Run');
    expect(origins(app)).toMatchObject({ history: 'async Run', log: 'async Run', poller: 'async Run' });
    for (const key of ['poller.Polls', 'log.Apples'])
      await app.until(`another ${key}`, (state) => Number(state[key]) > Number(before[key]));
    await app.until('history', (state) => Number(state['history.length']) > 0);
    await app.probe.detach();
  });

  it('shows who waits for its end, and for the keys that end it', async () => {
    const { app } = await begin();
    const state = await app.read();
    const watched = Object.entries(state).filter(([key]) => /^watcher.*\.Watches$/.test(key));
    expect(watched.map(([, value]) => value).sort()).toEqual(['the end', 'the keys']);
    expect(Object.values(origins(app)).filter((origin) => origin === 'event handler')).toHaveLength(2);
    await app.probe.detach();
  });
});
