import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { healthFields } from '../../../src/model/health.ts';
import { AgentHealth, joinHealth } from '../../../src/probes/support/agent-health.ts';

const answer = z.object({ ...healthFields, rawCount: z.number() });

describe('what an agent says of its own failures', () => {
  it('is kept, and what is absent is as it was', () => {
    const health = new AgentHealth();
    health.take(answer.parse({ rawCount: 1, parts: [{ name: 'swing', problem: 'NoClassDefFoundError' }] }));
    health.take(answer.parse({ rawCount: 1, discarded: { 'Walk.read': 3, 'Walk.read:IllegalStateException': 1 } }));
    expect(health.report).toEqual({
      parts: [{ name: 'swing', problem: 'NoClassDefFoundError' }],
      discarded: { 'Walk.read': 3, 'Walk.read:IllegalStateException': 1 },
    });
    health.take(answer.parse({ rawCount: 1, parts: [] }));
    expect(health.report.parts).toEqual([]);
  });

  it('never costs the rest of the answer, whatever it is', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (parts, discarded) => {
        const read = answer.parse({ rawCount: 1, parts, discarded });
        for (const { name, problem } of read.parts ?? []) {
          expect(name).toMatch(/^[a-z][a-z0-9_]{0,39}$/);
          expect(problem.length).toBeLessThanOrEqual(300);
        }
        for (const [place, count] of Object.entries(read.discarded ?? {})) {
          expect(place).toMatch(/^[\w$<>.:]{1,120}$/);
          expect(Number.isSafeInteger(count) && count > 0).toBe(true);
        }
      }),
    );
  });

  it('has bounds, and no place that could hold a value', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`Walk.read${at}`, 1]));
    const { discarded = {} } = answer.parse({ rawCount: 1, discarded: { ...many, 'Alice Smith': 1, 'a b': 2, x: -1 } });
    expect(Object.keys(discarded)).toHaveLength(64);
    expect(Object.keys(discarded)).not.toContain('Alice Smith');
  });

  it('is joined with what failed on the side of the daemon, and of several agents', () => {
    const health = new AgentHealth();
    health.fail('heap_scan', 'It was refused.');
    health.fail('native', 'no library for its CPU');
    health.mend('native');
    const other = { parts: [{ name: 'page_state', problem: 'replaced' }], discarded: { 'Safe.ask': 2 } };
    expect(joinHealth([health.report, other, { parts: [], discarded: { 'Safe.ask': 1 } }])).toEqual({
      parts: [
        { name: 'heap_scan', problem: 'It was refused.' },
        { name: 'page_state', problem: 'replaced' },
      ],
      discarded: { 'Safe.ask': 3 },
    });
  });
});
