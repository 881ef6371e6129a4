import { expect, it } from 'vitest';
import { inSlices } from '../../../src/model/in-slices.ts';

it('leaves the others a turn after each slice, however much is at work', async () => {
  const happened: ('slice' | 'turn')[] = [];
  /** Each step takes longer than a slice. */
  function* work(): Generator<void, void, void> {
    for (let step = 0; step < 3; step++) {
      happened.push('slice');
      const began = performance.now();
      while (performance.now() - began < 9);
      yield;
    }
  }
  let isOver = false;
  const turn = () => {
    happened.push('turn');
    if (!isOver) setImmediate(turn);
  };
  turn();
  await Promise.all(Array.from({ length: 4 }, () => inSlices(work())));
  isOver = true;
  expect(happened.filter((what) => what === 'slice')).toHaveLength(12);
  expect(happened.join(' ')).not.toContain('slice slice');
});

it('goes on for others when one is ended by throwing', async () => {
  function* endless(): Generator<void, void, void> {
    for (;;) yield;
  }
  const stop = () => {
    throw new Error('enough');
  };
  const works = [inSlices(endless(), { goOn: stop }), inSlices(endless(), { goOn: stop }), inSlices([].values())];
  const [first, second, third] = await Promise.allSettled(works);
  expect([first?.status, second?.status, third?.status]).toEqual(['rejected', 'rejected', 'fulfilled']);
});

/** Each step takes longer than a slice. */
function* busy(steps: number, note: () => void): Generator<void, void, void> {
  for (let step = 0; step < steps; step++) {
    note();
    const began = performance.now();
    while (performance.now() - began < 5);
    yield;
  }
}

it('gives one owner a slice for each slice of another, however much that one asks for', async () => {
  const slices: string[] = [];
  const work = (owner: string) =>
    inSlices(
      busy(3, () => slices.push(owner)),
      { owner },
    );
  await Promise.all([...Array.from({ length: 10 }, () => work('much')), work('little')]);
  // The first slice of each comes at once; from then on they take turns.
  expect(slices.lastIndexOf('little')).toBeLessThan(7);
  expect(slices).toHaveLength(33);
});

it('does much small work of one owner at once no longer than a slice', async () => {
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns++;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await Promise.all(
    Array.from({ length: 20 }, () =>
      inSlices(
        busy(1, () => {}),
        { owner: 'many' },
      ),
    ),
  );
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(19);
});

it('does what is little at once', () => {
  let isDone = false;
  void inSlices(
    (function* () {
      yield;
      isDone = true;
    })(),
    { owner: 'alone' },
  );
  expect(isDone).toBe(true);
});

it('says before each rest that others may change what is read', async () => {
  const events: string[] = [];
  await inSlices(
    busy(2, () => events.push('slice')),
    { owner: 'reader', beforeRest: () => events.push('rest') },
  );
  expect(events).toEqual(['slice', 'rest', 'slice', 'rest']);
});
