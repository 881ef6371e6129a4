import { describe, expect, it } from 'vitest';
import { MonoMoment, parseSleep, type Sleep } from '../../../../src/probes/drivers/clr/mono/mono-moment.ts';

const never = new AbortController().signal;
const status = (state: string, switches: number) =>
  `Name:\tmono\nState:\t${state}\nvoluntary_ctxt_switches:\t${switches}\nnonvoluntary_ctxt_switches:\t7\n`;

describe('what the kernel says of a main thread', () => {
  it.each<[string, string | null, Sleep]>([
    ['asleep', status('S (sleeping)', 12), '12'],
    ['running', status('R (running)', 12), 'busy'],
    ['waiting for a disk', status('D (disk sleep)', 12), 'busy'],
    ['gone', null, null],
    ['without a count', 'State:\tS (sleeping)\n', null],
  ])('%s', (_what, text, sleep) => {
    expect(parseSleep(text)).toBe(sleep);
  });
});

describe('a moment for the signal', () => {
  /** Returns the next of these at each call, and then the last for ever. */
  function moment(...said: Sleep[]) {
    let looks = 0;
    const look = () => said[Math.min(looks++, said.length - 1)] ?? null;
    return { moment: new MonoMoment(look), looks: () => looks };
  }

  it('is one in which it stays asleep', async () => {
    const { moment: calm, looks } = moment('busy', '1', 'busy', '2', '3', '3');
    expect(calm.isHere).toBe(false);
    await calm.wait(never);
    expect(looks()).toBeGreaterThan(6);
    expect(calm.isHere).toBe(true);
  });

  it('is over when it has woken up, even if it sleeps again', async () => {
    let sleep: Sleep = '1';
    const calm = new MonoMoment(() => sleep);
    await calm.wait(never);
    expect(calm.isHere).toBe(true);
    sleep = '2';
    expect(calm.isHere).toBe(false);
    await calm.wait(never);
    expect(calm.isHere).toBe(true);
  });

  it('is any, of a program that never rests, after a while', async () => {
    const { moment: restless, looks } = moment('busy');
    await restless.wait(never);
    expect(looks()).toBeGreaterThan(10);
    expect(restless.isHere).toBe(true);
  });

  it('is any where nobody can tell', async () => {
    const { moment: unknown, looks } = moment(null);
    await unknown.wait(never);
    expect(looks()).toBe(1);
    expect(unknown.isHere).toBe(true);
  });

  it('is not waited for by who has given up', async () => {
    const { moment: restless, looks } = moment('busy');
    await restless.wait(AbortSignal.abort());
    expect(looks()).toBe(1);
    expect(restless.isHere).toBe(false);
  });
});
