/** Programs that hold their state in all kinds of ways, or resist being read. */
import { afterEach, describe, expect, it } from 'vitest';
import { clr } from '../../src/probes/drivers/clr/declaration.ts';
import { createClrDriver } from '../../src/probes/drivers/clr/driver.ts';
import { CLRS, type Clr, here, startDotnet } from '../support/dotnet.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { endAll, until } from '../support/real-processes.ts';

const driver = createClrDriver(clr.settings.parse({}));

afterEach(endAll);

describe.each(here<Clr>('net9', 'net31'))('all kinds of values on %s', (clr) => {
  async function begin(): Promise<ProbedApp> {
    return ProbedApp.attach(driver, (await startDotnet(clr, 'kinds')).info);
  }

  it('are data, under the names that the program gives them', async () => {
    const app = await begin();
    const state = await app.read();
    const all = (values: Record<string, unknown>) =>
      Object.fromEntries(Object.entries(values).map(([key, value]) => [`Program.All.${key}`, value]));
    expect(state).toMatchObject(
      all({
        Text: 'plain',
        Letter: 'x',
        Large: '9223372036854775807',
        Half: 0.5,
        Third: 0.25,
        Price: 12.5,
        IsOpen: true,
        Mood: 'Stormy',
        Days: 'Monday, Friday',
        When: '2024-01-02T03:04:05Z',
        Offset: '2024-01-02T03:04:05+02:00',
        Span: '01:30:00',
        Id: '11111111-2222-3333-4444-555555555555',
        Home: 'http://example.com/a?b=c',
        Version: '1.2.3',
        'Pair.Item1': 1,
        'Pair.Item2': 'one',
        'OldPair.Item1': 2,
        'OldPair.Item2': 'two',
        'Money.Amount': 9.99,
        'Money.Currency': 'EUR',
        'Anonymous.City': 'Berlin',
        'Anonymous.Zip': 10115,
        'Numbers.length': 3,
        'Numbers[2]': 3,
        Bytes: '[byte[] of 5000 bytes]',
        'People.length': 2,
        'People[0].Name': 'Ada',
        'People[0].Age': 36,
        'People[0].Shoes': null,
        'Rates.size': 2,
        'Rates.double': 2,
        'Rates["odd key"]': 3,
        'ByMood.Calm': 1,
        'Tags.size': 1,
        'Tags[0]': 'red',
        'Sorted.a': 1,
        'Sorted.b': 2,
        'Queue.length': 2,
        'Queue[0]': 5,
        'Stack.length': 2,
        'Stack[0]': 8,
        'Linked[1]': 'second',
        'Concurrent.k': 1,
        'Waiting[0]': 9,
        'ReadOnly[0]': 4,
        'Observed[0]': 'seen',
        Made: 'made',
        Password: '[redacted]',
        'Friend.Name': 'Ada',
      }),
    );
    expect(JSON.stringify(state)).not.toMatch(/hunter2|swordfish|BackingField/);
    expect(Object.keys(state).filter((key) => key.includes('Bytes['))).toEqual([]);
    await app.probe.detach();
  });

  it('are taken as arguments, and refused where they do not fit', async () => {
    const app = await begin();
    // A long list of actions arrives within a few captures.
    await app.until('all actions', () => app.actions.has('Program.All.FailLater'));
    const returns = async (name: string, args: Record<string, unknown>) =>
      (await app.invoke(`Program.All.${name}`, args)).rawReturn;
    expect(await returns('Sum', { numbers: [1.5, 2] })).toBe(3.5);
    expect(await returns('Count', { words: ['a', 'b'] })).toBe(2);
    expect(await returns('Count', {})).toBe(0);
    expect(await returns('Greet', { person: { name: 'Linus' } })).toBe('Hello Linus');
    expect(await returns('Greet', { person: { $ref: 'Program.All.People[1]' }, greeting: 'Hi' })).toBe('Hi Grace');
    expect(await returns('Tally', { votes: { yes: 3, no: 4 } })).toBe(7);
    expect(await returns('Convert', { money: { amount: 2.5, currency: 'EUR' }, currency: 'USD' })).toEqual({
      Amount: 5,
      Currency: 'USD',
    });
    expect(await returns('Cheer', { mood: 'calm' })).toBe('Calm');
    expect(await returns('Later', { by: '02:00:00' })).toBe('2024-01-02T05:04:05Z');
    expect(await returns('Slow', { milliseconds: 30 })).toBe('done');
    expect(await app.invoke('Program.All.Fail', { why: 'rain' })).toMatchObject({
      ok: false,
      rawReturn: { exception: 'System.InvalidOperationException', message: 'rain' },
    });
    expect(await app.invoke('Program.All.FailLater', { why: 'snow' })).toMatchObject({
      ok: false,
      message: expect.stringContaining('snow'),
    });
    await expect(app.invoke('Program.All.Cheer', { mood: 'sour' })).rejects.toThrow('one of Calm, Stormy');
    await expect(app.invoke('Program.All.Greet', { person: { height: 3 } })).rejects.toThrow(/person/);
    expect((await app.read())['Program.All.Mood']).toBe('Calm');
    await app.probe.detach();
  });

  it('are set by their properties', async () => {
    const app = await begin();
    await app.read();
    await app.until('the proof', () => app.schema('Program.All.setText').reversibility === 'reversible_write');
    expect(await app.invoke('Program.All.setText', { text: 'new' })).toMatchObject({ ok: true });
    expect((await app.read())['Program.All.Text']).toBe('new');
    await app.probe.detach();
  });

  it('are found where only the callback of a timer holds them', async () => {
    const app = await begin();
    const before = Number((await app.read())['counter.Beats']);
    await app.until('a beat', (state) => Number(state['counter.Beats']) > before);
    await app.probe.detach();
  });
});

describe.each(here<Clr>('net9', 'net31'))('a web server on %s', (clr) => {
  it('shows its services that are there, makes none, and calls them', async () => {
    const target = await startDotnet(clr, 'web', { ready: /ready/ });
    const app = await ProbedApp.attach(driver, target.info);
    // On a busy machine a first capture may end before it reaches them.
    expect(await app.until('its services', (state) => 'cartService.Currency' in state)).toMatchObject({
      'cartService.Currency': 'EUR',
      'cartService.Lines.length': 1,
      'cartService.Lines[0].Sku': 'tea',
      'cartService.Lines[0].Price': 4.5,
      'cartService._apiToken': '[redacted]',
    });
    await app.until('a tick', (state) => Number(state['ticker.Ticks']) > 2);
    const line = { sku: 'milk', price: 1.25, count: 2 };
    expect(await app.invoke('cartService.Add', { line })).toMatchObject({ ok: true, rawReturn: 2 });
    expect((await app.read())['cartService.Lines[1].Sku']).toBe('milk');
    expect(await app.invoke('cartService.TotalAsync')).toMatchObject({ ok: true, rawReturn: 7 });
    expect(app.state['NeverAsked.Made'] ?? 0).toBe(0);
    expect(Object.keys(app.state).filter((key) => /logger|kestrel|provider/i.test(key))).toEqual([]);
    // Objects of a container that nothing holds any more are garbage, collected or not.
    expect(Object.keys(app.state).filter((key) => key.startsWith('draft'))).toEqual([]);
    await app.probe.detach();
  });
});

describe.each(CLRS)('a program that allocates all the time on %s', (clr) => {
  it('goes on collecting its garbage after an attach, captures and a detach', async () => {
    const target = await startDotnet(clr, 'storm');
    const said = target.output();
    const app = await ProbedApp.attach(driver, target.info);
    const collections = async () => Number((await app.read())['Weather.Collections']);
    const before = await collections();
    await app.until('collections', (state) => Number(state['Weather.Collections']) > before + 5);
    await app.read('deep');
    const after = await collections();
    await app.until('more collections', (state) => Number(state['Weather.Collections']) > after + 5);
    await app.probe.detach();
    target.write('q');
    expect(await target.exited).toBe(0);
    expect(target.output()).toBe(`${said}over\n`);
  });
});

describe.each(here<Clr>('mono', 'net9', 'net31'))('a program that sets traps on %s', (clr) => {
  it('is read without one of its methods being called, whatever locks are held', async () => {
    const target = await startDotnet(clr, 'hostile');
    const app = await ProbedApp.attach(driver, target.info, 20_000);
    for (let round = 0; round < 5; round++) await app.read();
    await app.read('deep');
    expect(app.state).toMatchObject({
      'World.Touchy.Held': 7,
      'World.Million.length': 1_000_000,
      'World.Guarded.Held': 2,
      'World.Odd.length': 3,
    });
    expect(Object.keys(app.state).length).toBeLessThanOrEqual(20_000);
    expect(app.capture?.coverage).toBeLessThan(1);
    await app.probe.detach();
    expect(target.output()).toBe('ready\n');
    target.write('q');
    expect(await target.exited).toBe(3);
  });

  it('is told when a method hangs on a lock, and goes on being read', async () => {
    const target = await startDotnet(clr, 'hostile');
    const app = await ProbedApp.attach(driver, target.info, 5000);
    await app.read();
    const outcome = await app.invoke('World.Blocked', {}, 300);
    expect(outcome).toMatchObject({ ok: false, message: expect.stringContaining('still running') });
    expect(await app.read()).toHaveProperty(['World.Guarded.Held']);
    await app.probe.detach();
    target.write('q');
    expect(await target.exited).toBe(3);
  });

  it('ends as it would without a look', async () => {
    const target = await startDotnet(clr, 'hostile');
    const app = await ProbedApp.attach(driver, target.info, 5000);
    await app.read();
    target.write('q');
    expect(await target.exited).toBe(3);
    await app.probe.closed;
    await until('the end', () => target.output() === 'ready\n');
  });
});
