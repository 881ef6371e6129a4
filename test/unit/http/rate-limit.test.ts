import { describe, expect, it } from 'vitest';
import { TokenBuckets } from '../../../src/http/rate-limit.ts';
import { actionResult, PID, reading } from './fake-service.ts';
import { type Harness, type HarnessOptions, startServer } from './harness.ts';

class FakeClock {
  ms = 1_000_000;
  readonly read = () => this.ms;
}

async function limited(options: HarnessOptions = {}): Promise<{ server: Harness; clock: FakeClock }> {
  const clock = new FakeClock();
  const server = await startServer({ rateLimit: { enabled: true }, clock: clock.read, ...options });
  return { server, clock };
}

async function statuses(count: number, send: () => Promise<{ status: number }>): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: count }, send));
  return answers.map(({ status }) => status);
}

const count = (list: readonly number[], status: number) => list.filter((each) => each === status).length;
const ACTION = { pid: PID, action: 'archive', parameters: {} };

describe('the state bucket', () => {
  it('takes a burst of 100, then refills at 100 per second', async () => {
    const { server, clock } = await limited();
    const apps = () => server.get('/substrate/v1/apps');
    expect(count(await statuses(105, apps), 200)).toBe(100);
    const refused = await apps();
    expect(refused.status).toBe(429);
    expect(refused.error()).toMatchObject({ code: 'rate_limited', retry_after_ms: 10 });
    expect(refused.headers.get('retry-after')).toBe('1');
    clock.ms += 10;
    expect((await apps()).status).toBe(200);
    expect((await apps()).status).toBe(429);
    clock.ms += 60_000;
    expect(count(await statuses(105, apps), 200)).toBe(100);
  });

  it('is shared by apps, state, schema, diff and verify', async () => {
    const { server } = await limited({ rateLimit: { enabled: true, state_per_second: 5 } });
    const targets = ['apps', `state/${PID}`, `schema/${PID}`, `diff/${PID}?since=x`];
    for (const target of targets) expect((await server.get(`/substrate/v1/${target}`)).status).toBe(200);
    const verify = { pid: PID, expression: 'true' };
    expect((await server.post('/substrate/v1/verify', verify)).status).toBe(200);
    expect((await server.post('/substrate/v1/verify', verify)).status).toBe(429);
    expect((await server.get('/substrate/v1/apps')).status).toBe(429);
    expect((await server.post('/substrate/v1/action', ACTION)).status).toBe(200);
  });

  it('belongs to one key', async () => {
    const { server } = await limited({ rateLimit: { enabled: true, state_per_second: 1 } });
    const { key } = await server.keys.create();
    expect(await statuses(2, () => server.get('/substrate/v1/apps'))).toContain(429);
    expect((await server.get('/substrate/v1/apps', { 'X-Substrate-Key': key })).status).toBe(200);
  });

  it('is one for all when no key is required', async () => {
    const { server } = await limited({ requireKey: false, rateLimit: { enabled: true, state_per_second: 1 } });
    expect((await server.get('/substrate/v1/apps', { 'X-Substrate-Key': 'a' })).status).toBe(200);
    expect((await server.get('/substrate/v1/apps', { 'X-Substrate-Key': 'b' })).status).toBe(429);
  });
});

describe('the action bucket', () => {
  it('takes 10, learn included', async () => {
    const { server, clock } = await limited();
    const learn = {
      capture_id: 'c',
      schema_version: '1.0.0',
      corrections: [{ observed_key: 'k', correct_label: 'l', correct_type: 'string' }],
    };
    for (let i = 0; i < 5; i++) {
      expect((await server.post('/substrate/v1/action', ACTION)).status).toBe(200);
      expect((await server.post(`/substrate/v1/learn/${PID}`, learn)).status).toBe(200);
    }
    const refused = await server.post('/substrate/v1/action', ACTION);
    expect(refused.error()).toMatchObject({ code: 'rate_limited', retry_after_ms: 100 });
    clock.ms += 99;
    expect((await server.post(`/substrate/v1/learn/${PID}`, learn)).status).toBe(429);
    clock.ms += 1;
    expect((await server.post(`/substrate/v1/learn/${PID}`, learn)).status).toBe(200);
  });
});

describe('the snapshot bucket', () => {
  it('is spent by the service: 2, then one every 30 s', async () => {
    const { server, clock } = await limited({
      service: {
        act: async ({ fresh_state }, { spendSnapshot }) => {
          if (fresh_state) spendSnapshot();
          return actionResult();
        },
        readState: async (_pid, { fresh }, { spendSnapshot }) => {
          if (fresh) spendSnapshot();
          return reading();
        },
      },
    });
    const act = () => server.post('/substrate/v1/action', { ...ACTION, fresh_state: true });
    expect((await act()).status).toBe(200);
    expect((await server.get(`/substrate/v1/state/${PID}?fresh=true`)).status).toBe(200);
    const refused = await act();
    expect(refused.error()).toMatchObject({ code: 'rate_limited', retry_after_ms: 30_000 });
    expect(refused.headers.get('retry-after')).toBe('30');
    expect((await server.get(`/substrate/v1/state/${PID}`)).status).toBe(200);
    clock.ms += 30_000;
    expect((await act()).status).toBe(200);
    expect(server.metrics.text(true)).toContain('substrate_rate_limited_total{bucket="snapshot"} 1');
  });
});

describe('no limit', () => {
  it('holds for health and for watch', async () => {
    const { server } = await limited({ rateLimit: { enabled: true, state_per_second: 1, action_per_second: 1 } });
    const health = () => fetch(`${server.url}/health`);
    expect(count(await statuses(150, health), 200)).toBe(150);
    expect(count(await statuses(150, () => server.get('/substrate/v1/health')), 200)).toBe(150);
    expect(count(await statuses(20, () => server.get(`/substrate/v1/watch/${PID}`)), 426)).toBe(20);
  });

  it('holds for everything when the limits are switched off', async () => {
    const { server } = await limited({ rateLimit: { enabled: false, action_per_second: 1 } });
    expect(count(await statuses(20, () => server.post('/substrate/v1/action', ACTION)), 200)).toBe(20);
  });
});

describe('idle buckets', () => {
  it('are forgotten after their time', () => {
    const clock = new FakeClock();
    const buckets = new TokenBuckets(10, 1000, 5000, clock.read);
    buckets.spend('a');
    clock.ms += 3000;
    buckets.spend('b');
    clock.ms += 3000;
    buckets.spend('c');
    expect(buckets.size).toBe(2);
  });

  it('are never forgotten while they are not full', () => {
    const clock = new FakeClock();
    const buckets = new TokenBuckets(2, 60_000, 1000, clock.read);
    expect([buckets.spend('a'), buckets.spend('a')]).toEqual([0, 0]);
    clock.ms += 2000;
    buckets.spend('b');
    expect(buckets.spend('a')).toBe(28_000);
  });

  it('are bounded in number', () => {
    const buckets = new TokenBuckets(1, 1000, 3_600_000, () => 0);
    for (let i = 0; i < 12_000; i++) buckets.spend(`key ${i}`);
    expect(buckets.size).toBe(10_000);
  });
});
