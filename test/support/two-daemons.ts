import { expect } from 'vitest';
import type { Probe } from '../../src/probes/probe.ts';
import { until } from './real-processes.ts';

/**
 * Two attach at once: one gets the program, the other a refusal, and the program after the first has left. Returns the
 * last probe.
 */
export async function oneAfterTheOther(attach: () => Promise<Probe>): Promise<Probe> {
  const both = await Promise.allSettled([attach(), attach()]);
  const probes = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(probes).toHaveLength(1);
  const [refused] = both.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  expect(refused).toMatchObject({ retry: true, message: expect.stringMatching(/Another substrate is attached/) });
  const [second] = await Promise.all([
    until('the second', () => attach().catch(() => null)),
    ...probes.map((probe) => probe.detach()),
  ]);
  return second;
}
