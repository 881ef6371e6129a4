import { describe, expect, it } from 'vitest';
import { isCostly, SearchQueue, TURNS } from '../../../../src/probes/drivers/v8/node/agent/search-queue.ts';

function drain(queue: SearchQueue): unknown[] {
  const values: unknown[] = [];
  for (let step = queue.next(); step; step = queue.next()) values.push(step.value);
  return values;
}

describe('the queue of the search', () => {
  const short = () => 1;
  const others = [(a: number) => a + 1, (a: number) => a + 22, (a: number) => a + 333];

  it('takes what the app exports first, and what costs much last', () => {
    const queue = new SearchQueue();
    queue.push('late', TURNS.late);
    queue.push('library', TURNS.library);
    queue.push('app', TURNS.app);
    queue.push('exports', TURNS.exports);
    expect(drain(queue)).toEqual(['exports', 'app', 'library', 'late']);
  });

  it('takes seven functions that keep the process alive for each one that is exported', () => {
    const queue = new SearchQueue();
    queue.pushAll(['exports 1', 'exports 2', 'exports 3'], TURNS.exports);
    queue.pushAll(
      Array.from({ length: 8 }, (_, at) => `alive ${at}`),
      TURNS.alive,
    );
    const values: unknown[] = [];
    for (let step = queue.next(); step; step = queue.next()) {
      values.push(step.value);
      queue.settle(short, true);
    }
    expect(values.map((value) => String(value).slice(0, 1)).join('')).toBe('eaaaaaaaeae');
  });

  it.each([
    ['the app', true, ['waiting', ...others, 'far']],
    ['a library', false, ['waiting', 'far', ...others]],
  ])('looks at the shortest of many functions, and at the others when it is of %s', (_, isApp, rest) => {
    const queue = new SearchQueue();
    queue.pushFunctions([...others, short], TURNS.app);
    queue.push('waiting', TURNS.app);
    queue.push('far', TURNS.library);
    expect(queue.next()?.value).toBe(short);
    queue.settle(short, isApp);
    expect(drain(queue)).toEqual(rest);
  });

  it('walks what hangs on functions in any case', () => {
    const stack = ['a layer'];
    const queue = new SearchQueue();
    queue.pushFunctions([...others, Object.assign((req: unknown) => req, { stack })], TURNS.alive);
    expect(drain(queue)).toContain(stack);
  });

  it('knows functions whose description is very long', () => {
    expect(isCostly(short)).toBe(false);
    const long = new Function(`return "${'x'.repeat(70_000)}"`);
    expect(isCostly(long)).toBe(true);
    expect(isCostly(Object.assign(() => 1, { long }))).toBe(true);
  });
});
