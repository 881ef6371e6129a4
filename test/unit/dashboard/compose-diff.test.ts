import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DiffResponse, Scalar } from '../../../src/client/index.ts';
import { NEWEST, pairOf } from '../../../src/dashboard/changes/choice.ts';
import { composeDiff } from '../../../src/dashboard/changes/compose-diff.ts';
import { filterDiff } from '../../../src/dashboard/changes/filter-diff.ts';
import { readDiff } from '../../../src/dashboard/changes/read-diff.ts';
import type { Differences } from '../../../src/dashboard/live/state-diff.ts';

type State = ReadonlyMap<string, Scalar>;

function direct(before: State, after: State): Differences {
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  const of = (key: string) => [before.get(key), after.get(key)] as const;
  return {
    changed: keys.flatMap((path) => {
      const [a, b] = of(path);
      return a !== undefined && b !== undefined && a !== b ? [{ path, before: a, after: b }] : [];
    }),
    added: keys.flatMap((path) => {
      const [a, b] = of(path);
      return a === undefined && b !== undefined ? [{ path, value: b }] : [];
    }),
    removed: keys.flatMap((path) => {
      const [a, b] = of(path);
      return a !== undefined && b === undefined ? [{ path, value: a }] : [];
    }),
  };
}

function sorted({ changed, added, removed }: Differences): Differences {
  const byPath = <T extends { path: string }>(list: readonly T[]) =>
    [...list].sort((a, b) => (a.path < b.path ? -1 : 1));
  return { changed: byPath(changed), added: byPath(added), removed: byPath(removed) };
}

const scalar = fc.oneof(fc.constantFrom<Scalar>(null, true, false, 0, 1, '', 'a'), fc.integer(), fc.string());
const key = fc.constantFrom('a', 'a.b', 'c[0].d', '__proto__', 'constructor', 'long["odd key"]');
const state = fc.array(fc.tuple(key, scalar), { maxLength: 8 }).map((entries): State => new Map(entries));

describe('the difference between two captures', () => {
  it('is the direct one, whatever came after them', () => {
    fc.assert(
      fc.property(fc.array(state, { minLength: 1, maxLength: 6 }), fc.nat(), fc.nat(), (history, a, b) => {
        const [first, second, latest] = [history[a % history.length], history[b % history.length], history.at(-1)];
        if (!first || !second || !latest) throw new Error('no history');
        const composed = composeDiff(direct(first, latest), direct(second, latest));
        expect(sorted(composed)).toEqual(sorted(direct(first, second)));
      }),
    );
  });

  it('is asked for again until both were compared with the same latest capture', async () => {
    const history: State[] = [
      new Map([['n', 1]]),
      new Map([['n', 2]]),
      new Map([['n', 3]]),
      new Map<string, Scalar>([
        ['n', 3],
        ['m', 1],
      ]),
    ];
    let asked = 0;
    const diff = async (_app: number | string, since: string): Promise<DiffResponse> => {
      // The app has changed between the first two answers.
      const latest = asked++ === 0 ? 2 : 3;
      const { changed, added, removed } = direct(history[Number(since)] ?? new Map(), history[latest] ?? new Map());
      return {
        pid: 1,
        app_id: 'a',
        capture_id: String(latest),
        prev_capture_id: since,
        changed: [...changed],
        added: [...added],
        removed: [...removed],
      };
    };
    const between = await readDiff({ diff }, { pid: 1, from: '0', to: '1' });
    expect(between).toEqual({ changed: [{ path: 'n', before: 1, after: 2 }], added: [], removed: [] });
    expect(asked).toBe(4);
    expect(await readDiff({ diff }, { pid: 1, from: '2', to: null })).toMatchObject({
      added: [{ path: 'm', value: 1 }],
    });
  });

  it('gives up on an app that never holds still', async () => {
    let captures = 0;
    const diff = async (): Promise<DiffResponse> => ({
      pid: 1,
      app_id: 'a',
      capture_id: String(captures++),
      prev_capture_id: '',
      changed: [],
      added: [],
      removed: [],
    });
    await expect(readDiff({ diff }, { pid: 1, from: 'a', to: 'b' })).rejects.toThrow(/faster/);
  });

  it('is narrowed by words or by a pattern', () => {
    const all: Differences = {
      changed: [{ path: 'cart.items[0].price', before: 1, after: 2 }],
      added: [{ path: 'cart.items[1].price', value: 3 }],
      removed: [{ path: 'user.name', value: 'Ada' }],
    };
    const paths = (text: string) => {
      const { changed, added, removed } = filterDiff(all, text);
      return [...changed, ...added, ...removed].map(({ path }) => path);
    };
    expect(paths(' ')).toHaveLength(3);
    expect(paths('Items[')).toEqual(['cart.items[0].price', 'cart.items[1].price']);
    expect(paths('cart.items[*].price')).toEqual(['cart.items[0].price', 'cart.items[1].price']);
    expect(paths('**.name')).toEqual(['user.name']);
    expect(paths('nothing')).toEqual([]);
  });
});

describe('the pair of captures that is compared', () => {
  const captures = ['a', 'b', 'c'].map((captureId) => ({
    captureId,
    capturedAt: '',
    changedCount: 1,
    changedKeys: [],
  }));

  it('is the newest and the one before, as long as nobody chooses', () => {
    expect(pairOf(NEWEST, captures)).toEqual({ from: 'b', to: 'c' });
    expect(pairOf(NEWEST, captures.slice(0, 1))).toBeNull();
    expect(pairOf(NEWEST, [])).toBeNull();
  });

  it('is what was chosen, even where this page does not know it any more', () => {
    expect(pairOf({ from: 'a', to: 'now' }, captures)).toEqual({ from: 'a', to: null });
    expect(pairOf({ from: 'c', to: 'a' }, captures)).toEqual({ from: 'c', to: 'a' });
    expect(pairOf({ from: 'gone', to: 'b' }, captures)).toEqual({ from: 'gone', to: 'b' });
  });
});
