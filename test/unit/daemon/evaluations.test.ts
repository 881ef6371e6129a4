import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { evaluated, evaluateNow } from '../../../src/daemon/evaluations.ts';
import type { Session } from '../../../src/daemon/session.ts';
import { waitFor } from '../../../src/daemon/verifier.ts';
import { compilePredicate, type Predicate } from '../../../src/semantic/predicate/predicate.ts';
import { FakeProbe, fakeSession } from '../../support/fake-probe.ts';

const LONG = 'rows.some(a => rows.some(b => a + b === -1))';
const never = new AbortController().signal;
const options = { owner: 'key', signal: never, limitMs: 60_000 };

async function sessionWith(length = 1000): Promise<{ session: Session; probe: FakeProbe }> {
  const probe = new FakeProbe();
  probe.state = Object.fromEntries(Array.from({ length }, (_, at) => [`rows[${at}]`, at]));
  const session = fakeSession();
  session.useProbe(probe);
  await session.cold(1000);
  return { session, probe };
}

/** Counts how often it is begun. */
function counted(source: string): { predicate: Predicate; begun: () => number } {
  const predicate = compilePredicate(source);
  let begun = 0;
  return {
    predicate: {
      ...predicate,
      begin: (view) => {
        begun++;
        return predicate.begin(view);
      },
    },
    begun: () => begun,
  };
}

describe('one state and one expression', () => {
  it('are evaluated once, however many wait', async () => {
    const { session } = await sessionWith();
    const { predicate, begun } = counted(LONG);
    const all = await Promise.all(Array.from({ length: 50 }, () => evaluateNow(predicate, session, options)));
    expect(new Set(all).size).toBe(1);
    await evaluateNow(predicate, session, { ...options, owner: 'other' });
    expect(begun()).toBe(1);
  });

  it('are evaluated once, however often the state is found unchanged', async () => {
    const { session, probe } = await sessionWith(3);
    const { predicate, begun } = counted('rows[0] === 5');
    const captures = probe.captures;
    const since = session.requireHead().captureId;
    const wait = { timeoutMs: 200, intervalMs: 5, signal: never, since, cachedFirst: true };
    const { outcome } = await waitFor(predicate, session, wait);
    expect(outcome).toMatchObject({ passed: false });
    expect(probe.captures).toBeGreaterThan(captures + 1);
    expect(begun()).toBe(1);
    probe.state = { ...probe.state, 'rows[0]': 5 };
    expect((await waitFor(predicate, session, wait)).outcome.passed).toBe(true);
    expect(begun()).toBe(2);
  });

  it('are evaluated once for all gates of an action', async () => {
    const { session } = await sessionWith(3);
    const { predicate, begun } = counted('rows[0] === 0');
    const known = await evaluated(predicate, session, options);
    for (let gate = 0; gate < 3; gate++) expect(known.evaluate(session.view).passed).toBe(true);
    expect(begun()).toBe(1);
  });
});

describe('a long evaluation', () => {
  it('leaves others their turns', async () => {
    const { session } = await sessionWith();
    let turns = 0;
    let isOver = false;
    const turn = () => {
      turns++;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    const { explanation } = await evaluateNow(compilePredicate(LONG), session, options);
    isOver = true;
    expect(explanation).toContain('1000000 steps');
    expect(turns).toBeGreaterThan(3);
  });

  it('of one key does not keep those of another waiting', async () => {
    const { session } = await sessionWith();
    const ended: string[] = [];
    const work = async (owner: string, source: string) => {
      await evaluateNow(compilePredicate(source), session, { ...options, owner });
      ended.push(owner);
    };
    await Promise.all([
      ...Array.from({ length: 8 }, (_, at) => work('much', `${LONG} || ${at} < 0`)),
      work('little', 'rows.some(a => rows[a] < 0)'),
    ]);
    expect(ended[0]).toBe('little');
    expect(ended).toHaveLength(9);
  });

  it('is of the state in which it began', async () => {
    const { session, probe } = await sessionWith(400);
    const evaluation = evaluateNow(
      compilePredicate('rows.every(a => rows.every(b => rows[a] === a))'),
      session,
      options,
    );
    let isOver = false;
    void evaluation.finally(() => {
      isOver = true;
    });
    let captures = 0;
    while (!isOver) {
      probe.state = Object.fromEntries(Object.keys(probe.state).map((key) => [key, -captures - 1]));
      await session.refresh();
      captures++;
      await turnOfTheLoop();
    }
    expect(captures).toBeGreaterThan(0);
    expect((await evaluation).passed).toBe(true);
  });

  it('ends when nobody waits for it any more', async () => {
    const { session } = await sessionWith();
    const leave = new AbortController();
    const { predicate, begun } = counted(LONG);
    const waiting = evaluateNow(predicate, session, { ...options, signal: leave.signal });
    leave.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    // Nothing of it is kept.
    expect((await evaluateNow(predicate, session, options)).passed).toBe(false);
    expect(begun()).toBeGreaterThan(0);
  });

  it('is given up as overloaded when its key has asked for too much', async () => {
    const { session } = await sessionWith();
    await expect(evaluateNow(compilePredicate(LONG), session, { ...options, limitMs: 1 })).rejects.toMatchObject({
      code: 'overloaded',
    });
  });
});
