import { expect, it } from 'vitest';
import { lastAttach, TraceStory } from '../../../src/cli/commands/trace-story.ts';
import type { TraceStep } from '../../../src/model/wire.ts';

const plain = { paint: (_: string, text: string) => text };
const step = (number: number, depth: number, name: string, at_ms: number, ms: number | null, more = {}): TraceStep => ({
  ...{ number, depth, step: name, at_ms, ms },
  ...more,
});

it('shows an attach with the time line of its steps', () => {
  const lines = new TraceStory(plain).lines([
    step(1, 0, 'attach', 100, 350),
    step(2, 1, 'wait until it rests in its event loop', 101, 48.2),
    step(3, 1, 'SIGUSR1 sent', 150, 0, { pid: 7 }),
    step(4, 1, 'hello', 160, 3.25, { id: 1, sent: 10, received: 20, result: 'Java 17' }),
    step(5, 0, 'capture', 500, 2, { times: 4, problem: 'no answer' }),
  ]);
  expect(lines).toEqual([
    '    +0 ms      350 ms  attach',
    '    +1 ms       48 ms    wait until it rests in its event loop',
    '   +50 ms                SIGUSR1 sent (pid 7)',
    '   +60 ms      3.3 ms    hello (#1, 10 bytes out, 20 bytes in): Java 17',
    '  +400 ms      2.0 ms  capture (4 times) ✗ no answer',
  ]);
});

it('says while it follows that something began, and later how long it took, in the order of time', () => {
  const story = new TraceStory(plain);
  expect(story.lines([step(1, 0, 'attach', 0, null), step(2, 1, 'hello', 5, null)])).toEqual([
    '    +0 ms           …  attach',
    '    +5 ms           …    hello',
  ]);
  expect(
    story.lines([step(1, 0, 'attach', 0, 30), step(2, 1, 'hello', 5, 10), step(3, 0, 'capture', 31, null)], true),
  ).toEqual(['   +15 ms       10 ms    └ hello', '   +30 ms       30 ms  └ attach']);
  expect(story.lines([step(1, 0, 'attach', 0, 30)])).toEqual([]);
});

it('begins with the verdict before the last attach', () => {
  const steps = ['recognised', 'judged', 'attach', 'capture', 'judged', 'attach', 'capture'].map((name, at) =>
    step(at, 0, name, at, 1),
  );
  expect(lastAttach(steps).map(({ number }) => number)).toEqual([4, 5, 6]);
  expect(lastAttach(steps.slice(0, 2))).toHaveLength(2);
});
