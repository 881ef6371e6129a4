import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { History, type Point } from '../../../src/daemon/history.ts';
import type { Scalar } from '../../../src/model/scalar.ts';
import type { Change } from '../../../src/semantic/state-table.ts';

const HOUR = 3_600_000;

type State = Map<string, Scalar>;

const key = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor');
const step = fc.record({ key, after: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }) });
/** One capture: several steps, which may change a key more than once. */
const capture = fc.array(step, { maxLength: 6 });

function apply(state: State, steps: readonly { key: string; after: Scalar | undefined }[]): Change[] {
  const changes: Change[] = [];
  for (const { key: name, after } of steps) {
    changes.push({ key: name, before: state.get(name), after });
    if (after === undefined) state.delete(name);
    else state.set(name, after);
  }
  return changes;
}

const change = (at: number): Change => ({ key: 'a', before: at, after: at + 1 });

function difference(before: State, after: State): Map<string, [Scalar | undefined, Scalar | undefined]> {
  const result = new Map<string, [Scalar | undefined, Scalar | undefined]>();
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    if (!Object.is(before.get(name), after.get(name))) result.set(name, [before.get(name), after.get(name)]);
  }
  return result;
}

describe('History', () => {
  it('tells what differs from any kept capture as a comparison of the two states would', () => {
    fc.assert(
      fc.property(
        fc.array(capture, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 2, max: 15 }),
        (captures, limit) => {
          let clock = 0;
          const history = new History(limit, () => (clock += HOUR));
          const now: State = new Map();
          const states: State[] = [];
          captures.forEach((steps, at) => {
            history.push(`c${at}`, apply(now, steps));
            history.handOut();
            states.push(new Map(now));
          });
          states.forEach((then, at) => {
            const later = captures.slice(at + 1).filter((steps) => steps.length > 0).length;
            const kept = at === states.length - 1 || later < limit;
            expect(history.has(`c${at}`)).toBe(kept);
            const values = history.valuesAt(`c${at}`);
            if (!kept) {
              expect(values).toBeNull();
              return;
            }
            const found = [...(values ?? [])]
              .filter(([name, before]) => !Object.is(before, now.get(name)))
              .map(([name, before]) => [name, [before, now.get(name)]] as const);
            expect(new Map(found)).toEqual(difference(then, now));
          });
        },
      ),
    );
  });

  it('takes the first value of a key that went and came again in one capture', () => {
    const history = new History(10);
    history.push('old', []);
    history.push('new', [
      { key: 'a', before: 1, after: undefined },
      { key: 'a', before: undefined, after: 2 },
    ]);
    expect(history.valuesAt('old')).toEqual(new Map([['a', 1]]));
  });

  it('gives no place to captures that changed nothing, and knows the ids that were handed out', () => {
    const history = new History(3, () => 0);
    history.push('first', [change(0)]);
    history.handOut();
    for (let at = 0; at < 1000; at++) history.push(`idle${at}`, []);
    expect(history.has('idle0')).toBe(false);
    history.handOut();
    history.push('second', [change(1)]);
    expect(history.valuesAt('first')).toEqual(new Map([['a', 1]]));
    expect(history.valuesAt('idle999')).toEqual(new Map([['a', 1]]));
  });

  it('keeps what was handed out for ten minutes, however much has changed since', () => {
    let now = 0;
    const history = new History(3, () => now);
    history.push('handed', [change(0)]);
    history.handOut();
    for (let at = 1; at <= 100; at++) history.push(`c${at}`, [change(at)]);
    expect(history.valuesAt('handed')).toEqual(new Map([['a', 1]]));
    now = 600_001;
    history.push('late', [change(101)]);
    expect(history.has('handed')).toBe(false);
    expect(['c98', 'c99', 'c100', 'late'].map((id) => history.has(id))).toEqual([false, true, true, true]);
  });

  it('does not grow where ids are handed out for ever', () => {
    const history = new History(3, () => 0);
    for (let at = 0; at < 30_000; at++) {
      history.push(`c${at}`, at % 100 === 0 ? [change(at)] : []);
      history.handOut();
    }
    expect(history.has('c29999')).toBe(true);
    expect(history.has('c19999')).toBe(false);
  });

  it('knows nothing of captures that it never saw', () => {
    const history = new History(5);
    history.push('a', []);
    expect(history.has('b')).toBe(false);
    expect(history.valuesAt('b')).toBeNull();
    expect(history.valuesAt('__proto__')).toBeNull();
    expect(history.valuesAt('a')).toEqual(new Map());
  });

  it('gives up old captures when their changes would fill the memory', () => {
    const many = Array.from({ length: 220_000 }, (_, at): Change => ({ key: `k${at}`, before: 0, after: 1 }));
    const history = new History(1000);
    for (const id of ['a', 'b', 'c', 'd', 'e']) history.push(id, many);
    // Two captures after the oldest one hold 440,000 changes; a third would be too much.
    expect(['a', 'b', 'c', 'd', 'e'].map((id) => history.has(id))).toEqual([false, false, true, true, true]);
    expect(history.valuesAt('c')?.size).toBe(220_000);
  });

  it('keeps the latest capture however large it is', () => {
    const huge = Array.from({ length: 600_000 }, (_, at): Change => ({ key: `k${at}`, before: 0, after: 1 }));
    const history = new History(1000);
    history.push('a', []);
    history.push('b', huge);
    expect(history.has('a')).toBe(false);
    expect(history.valuesAt('b')).toEqual(new Map());
    history.push('c', []);
    expect(history.has('b')).toBe(true);
  });

  it('counts long texts for what they hold', () => {
    const history = new History(1000);
    const text = 'x'.repeat(100_000);
    for (let at = 0; at < 900; at++) history.push(`c${at}`, [{ key: 'a', before: text, after: `${text}${at}` }]);
    expect(history.has('c0')).toBe(false);
    expect(history.has('c899')).toBe(true);
  });
});

describe('points', () => {
  /** The values of each key at each kept capture, computed from complete states. */
  function naive(states: readonly { at: number; state: State }[], name: string): Point[] {
    const points: Point[] = [];
    for (const { at, state } of states) {
      const last = points.at(-1);
      if (!last || !Object.is(last.value, state.get(name))) points.push({ atMs: at, value: state.get(name) });
    }
    return points;
  }

  it('are those that whole states would give, for keys that come, go and change twice in a capture', () => {
    fc.assert(
      fc.property(
        fc.array(capture, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 2, max: 15 }),
        (captures, limit) => {
          const history = new History(limit, () => 0);
          const now: State = new Map();
          const states: { at: number; state: State }[] = [];
          captures.forEach((steps, at) => {
            history.push(`c${at}`, apply(now, steps), at);
            if (steps.length > 0 || at === 0) states.push({ at, state: new Map(now) });
          });
          const kept = states.slice(-limit);
          const names = ['a', 'b', '__proto__', 'never'];
          const points = history.pointsOf(names, (name) => now.get(name));
          expect([...points.keys()]).toEqual(names);
          for (const name of names) expect(points.get(name)).toEqual(naive(kept, name));
          expect(history.sinceMs).toBe(kept[0]?.at);
        },
      ),
    );
  });

  it('are none where nothing is kept', () => {
    const history = new History(3);
    expect(history.pointsOf(['a'], () => 1)).toEqual(new Map([['a', []]]));
    expect(history.sinceMs).toBeNull();
  });
});
