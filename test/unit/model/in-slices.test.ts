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
  const works = [inSlices(endless(), stop), inSlices(endless(), stop), inSlices([].values(), () => {})];
  const [first, second, third] = await Promise.allSettled(works);
  expect([first?.status, second?.status, third?.status]).toEqual(['rejected', 'rejected', 'fulfilled']);
});
