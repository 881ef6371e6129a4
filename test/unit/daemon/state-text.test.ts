import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { JsonBytes } from '../../../src/daemon/service.ts';
import { StateText } from '../../../src/daemon/state-text.ts';
import type { Scalar } from '../../../src/model/scalar.ts';
import { StateTable } from '../../../src/semantic/state-table.ts';

const scalar: fc.Arbitrary<Scalar> = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value)),
  fc.boolean(),
  fc.constant(null),
);
const operation = fc.oneof(
  { weight: 6, arbitrary: fc.record({ op: fc.constant('set' as const), gap: fc.nat(1500), value: scalar }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('update' as const), pick: fc.nat(), value: scalar }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('delete' as const), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('clear' as const) }) },
  { weight: 5, arbitrary: fc.record({ op: fc.constant('read' as const) }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('step' as const) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('become' as const) }) },
);

const textOf = (bytes: JsonBytes) => Buffer.concat(bytes).toString();

function parse(text: StateText): Map<string, unknown> {
  const parsed: Record<string, unknown> = JSON.parse(`{${textOf(text.bytes())}}`);
  return new Map(Object.entries(parsed));
}

describe('StateText', () => {
  it('is always exactly the table', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 40 }), (operations) => {
        const table = new StateTable();
        const text = new StateText(table);
        let ahead = text.renewing();
        const expected = new Map<string, Scalar>();
        let live: { slot: number; key: string }[] = [];
        let nextSlot = 0;
        for (const [at, step] of operations.entries()) {
          if (step.op === 'set') {
            const slot = nextSlot + step.gap;
            nextSlot = slot + 1;
            const key = `key "${at}"\n`;
            table.set(slot, key, step.value);
            expected.set(key, step.value);
            live.push({ slot, key });
          } else if (step.op === 'clear') {
            table.clear();
            expected.clear();
            live = [];
            nextSlot = 0;
          } else if (step.op === 'become') {
            const other = new StateTable();
            for (const { slot, key } of live) other.set(slot, key, expected.get(key) ?? null);
            table.become(other);
          } else if (step.op === 'step') {
            if (ahead.next().done) ahead = text.renewing();
          } else if (step.op === 'read') {
            expect(parse(text)).toEqual(expected);
            expect(text.bytes()).toBe(text.bytes());
          } else {
            const target = live[step.pick % Math.max(1, live.length)];
            if (!target) continue;
            if (step.op === 'update') {
              table.update(target.slot, step.value);
              expected.set(target.key, step.value);
            } else {
              table.delete(target.slot);
              expected.delete(target.key);
              live = live.filter((entry) => entry !== target);
            }
          }
        }
        expect(parse(text)).toEqual(expected);
        expect([...table.keys()].sort()).toEqual([...expected.keys()].sort());
      }),
    );
  });

  it('hands out the very same bytes while nothing changes', () => {
    const table = new StateTable();
    const text = new StateText(table);
    const empty = text.bytes();
    expect(textOf(empty)).toBe('');
    expect(text.bytes()).toBe(empty);
    table.set(0, 'a', 1);
    const one = text.bytes();
    expect(textOf(one)).toBe('"a":1');
    expect(text.bytes()).toBe(one);
    table.delete(0);
    expect(textOf(text.bytes())).toBe('');
  });

  it('renders one piece anew for one change', () => {
    const table = new StateTable();
    const text = new StateText(table);
    for (let slot = 0; slot < 10_000; slot++) table.set(slot, `key${slot}`, slot);
    text.bytes();
    const keyAt = vi.spyOn(table, 'keyAt');
    table.update(5000, 'new');
    text.bytes();
    expect(keyAt.mock.calls.length).toBeLessThanOrEqual(1024);
    keyAt.mockClear();
    table.set(10_000, 'last', true);
    text.bytes();
    expect(keyAt.mock.calls.length).toBeLessThanOrEqual(1024);
    keyAt.mockClear();
    text.bytes();
    expect(keyAt).not.toHaveBeenCalled();
  });

  it('can be made ready in steps, so that little is left', () => {
    const table = new StateTable();
    const text = new StateText(table);
    for (let slot = 0; slot < 10_000; slot++) table.set(slot, `key${slot}`, slot);
    expect([...text.renewing()]).toHaveLength(10);
    const keyAt = vi.spyOn(table, 'keyAt');
    expect(parse(text).size).toBe(10_000);
    expect(keyAt).not.toHaveBeenCalled();
  });

  it('ends also while everything changes all the time', () => {
    const table = new StateTable();
    const text = new StateText(table);
    for (let slot = 0; slot < 3000; slot++) table.set(slot, `key${slot}`, slot);
    let steps = 0;
    for (const _ of text.renewing()) {
      for (let slot = 0; slot < 3000; slot += 1000) table.update(slot, ++steps);
      expect(steps).toBeLessThan(100);
    }
    expect(parse(text).get('key0')).toBe(table.get('key0'));
  });

  it('writes names of Object.prototype as plain keys, in the order of the slots', () => {
    const table = new StateTable();
    table.set(2, 'toString', 3);
    table.set(0, '__proto__', 1);
    table.set(1, 'constructor', null);
    expect(textOf(new StateText(table).bytes())).toBe('"__proto__":1,"constructor":null,"toString":3');
  });
});
