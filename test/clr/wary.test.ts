/** Code that a read must not run or load: initialisers, proxies, and an app's own assembly resolution. */
import { afterEach, describe, expect, it } from 'vitest';
import { type Clr, here, startDotnet } from '../support/dotnet.ts';
import type { ProbedApp } from '../support/probed-app.ts';
import { endAll } from '../support/real-processes.ts';
import type { Target } from '../support/targets.ts';
import { attachWhenStarted } from './attach-when-started.ts';

afterEach(endAll);

describe.each(here<Clr>('mono', 'net9', 'net31'))('a program full of traps on %s', (clr) => {
  async function begin(): Promise<{ target: Target; app: ProbedApp; said: string }> {
    const target = await startDotnet(clr, 'wary', { ready: /ready/ });
    return { target, app: await attachWhenStarted(target), said: target.output() };
  }

  it('runs none of them when it is read, searched and asked for actions', async () => {
    const { target, app, said } = await begin();
    const state = await app.read();
    expect(state).toMatchObject({
      'World.Class.Held[0]': 1,
      'World.Struct.Size': 0,
      'World.Structs[1].Size': 0,
      'World.Boxed.Size': 0,
      'World.Generic.Held.length': 0,
      'World.OfStructs.One.Size': 0,
      'World.Derived.Own[0]': 5,
      'World.ByName.one.Size': 0,
      'World.Pair.Item1.Size': 0,
      'World.Pointers.Several[1].Plain': 0,
      'World.Worker.Number': 3,
      'World.Worker.Marks': 'One, Two',
    });
    expect(Object.keys(state).filter((key) => /OfThread|OfContext|PointerArray|FixedElement/.test(key))).toEqual([]);
    await app.read('deep');
    for (let round = 0; round < 10; round++) await app.read();
    await app.until(
      'what the actions do',
      () => app.schema('World.Worker.Virtual').reversibility === 'reversible_read',
    );
    expect([...app.actions.keys()]).toContain('World.Worker.Add');
    expect([...app.actions.keys()]).not.toContain('World.Worker.TakeAbsent');
    expect(await app.invoke('World.Worker.Add', { numbers: [1, 2] })).toMatchObject({ rawReturn: 5 });
    expect(await app.invoke('World.Worker.Take', { made: { One: 4 } })).toMatchObject({ ok: true });
    expect(await app.read()).toMatchObject({ 'World.Worker.Number': 9 });
    expect(target.output()).toBe(said);
    await app.probe.detach();
    target.write('q');
    expect(await target.exited).toBe(3);
  });

  it('shows an array without elements at each place that has it', async () => {
    const { app } = await begin();
    expect(await app.read()).toMatchObject({
      'World.Numbers.length': 0,
      'World.NoNumbers.length': 0,
      'World.Words.length': 0,
      'World.NoWords.length': 0,
    });
    await app.probe.detach();
  });

  it.runIf(clr === 'mono')('shows an object, and not what stands for one elsewhere', async () => {
    const { app } = await begin();
    const state = await app.read();
    expect(state).toMatchObject({ 'World.Remote[0].Number': 5, 'World.Remote[0].List[1]': 2 });
    expect(Object.keys(state).filter((key) => key.startsWith('World.Remote[1]'))).toEqual([]);
    expect(app.capture?.unseen).toBe('what the program keeps in another application domain or process');
    await app.probe.detach();
  });

  it.runIf(clr !== 'mono')('shows a field as soon as its type is loaded', async () => {
    const { target, app } = await begin();
    const state = await app.read();
    expect(state).toMatchObject({ 'World.Keeper.Number': 8 });
    expect(state).not.toHaveProperty(['World.Keeper.Later']);
    target.write('l');
    await app.until('the field', ({ 'World.Keeper.Later.Held': held }) => held === 9);
    await app.probe.detach();
  });
});
