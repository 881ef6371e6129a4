import { describe, expect, it } from 'vitest';
import { createMetrics } from '../../../src/http/metrics.ts';
import { PID } from './fake-service.ts';
import { startServer } from './harness.ts';

describe('metrics', () => {
  it('are served as Prometheus text, with a key only', async () => {
    const server = await startServer();
    await server.get(`/substrate/v1/state/${PID}`);
    await server.get('/substrate/v1/state/1');
    const answer = await server.get('/metrics');
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(answer.text).toContain(
      'substrate_http_requests_total{route="/substrate/v1/state/{pid}",method="GET",status="200"} 1',
    );
    expect(answer.text).toContain(
      'substrate_http_requests_total{route="/substrate/v1/state/{pid}",method="GET",status="404"} 1',
    );
    expect(answer.text).toContain(
      'substrate_http_request_duration_seconds_count{route="/substrate/v1/state/{pid}",method="GET"} 2',
    );
    expect(answer.text).toContain(`substrate_key_requests_total{key_id="${server.keyId}"} 2`);
    expect(answer.text).toContain('substrate_watch_connections 0');
    expect(answer.text).toContain('substrate_tracked_processes{runtime="v8",probe_status="active"} 1');
    expect((await fetch(`${server.url}/metrics`)).status).toBe(401);
  });

  it('name the keys only to who administers', async () => {
    const server = await startServer();
    const { key } = await server.keys.create('reader', { scopes: ['read'] });
    await server.get('/substrate/v1/apps');
    const { text } = await server.get('/metrics', { 'X-Substrate-Key': key });
    expect(text).toContain('substrate_http_requests_total{');
    expect(text).toMatch(/\n$/);
    expect(text).not.toContain(server.keyId);
  });

  it('do not count health among the uses of a key, nor whoever was not let in', async () => {
    const server = await startServer();
    await server.get('/health');
    await server.get('/substrate/v1/apps', { 'X-Substrate-Key': 'wrong' });
    expect(server.metrics.text(true)).not.toContain('substrate_key_requests_total{');
  });

  it('have bounded labels, whatever is asked for', async () => {
    const server = await startServer();
    for (let i = 0; i < 20; i++) await server.get(`/nowhere/${i}`);
    await fetch(`${server.url}/health`, { method: 'PROPFIND' });
    const text = server.metrics.text(true);
    expect(text).toContain('substrate_http_requests_total{route="unmatched",method="GET",status="404"} 20');
    expect(text).toContain('method="other"');
    expect(text).not.toMatch(/nowhere|PROPFIND/);
  });

  it('count probe cycles, and keys beyond a number together', async () => {
    const metrics = createMetrics();
    metrics.probeCycle('jvm', 0.2, true);
    metrics.probeCycle('jvm', 0.4, false);
    metrics.budgetSpent('jvm', 'memory');
    for (let i = 0; i < 300; i++)
      metrics.request({ route: '/x', method: 'GET', status: 200, seconds: 0, keyId: `key_${i}` });
    const text = metrics.text(true);
    expect(text).toContain('substrate_probe_cycles_total{runtime="jvm",outcome="ok"} 1');
    expect(text).toContain('substrate_probe_cycles_total{runtime="jvm",outcome="failed"} 1');
    expect(text).toContain('substrate_probe_cycle_duration_seconds_count{runtime="jvm"} 2');
    expect(text).toContain('substrate_probe_budget_spent_total{runtime="jvm",part="memory"} 1');
    expect(text).toContain('substrate_key_requests_total{key_id="other"} 100');
  });

  it('count times in buckets, the larger ones with the smaller', () => {
    const metrics = createMetrics();
    for (const seconds of [0.0005, 0.2, 500]) metrics.probeCycle('v8', seconds, true);
    const lines = metrics.text(true).split('\n');
    const counts = lines.filter((line) => line.startsWith('substrate_probe_cycle_duration_seconds_bucket'));
    expect(counts.at(0)).toBe('substrate_probe_cycle_duration_seconds_bucket{le="0.001",runtime="v8"} 1');
    expect(counts.find((line) => line.includes('le="0.25"'))).toMatch(/ 2$/);
    expect(counts.at(-1)).toBe('substrate_probe_cycle_duration_seconds_bucket{le="+Inf",runtime="v8"} 3');
    expect(lines).toContain('substrate_probe_cycle_duration_seconds_sum{runtime="v8"} 500.2005');
    expect(lines).toContain('# TYPE substrate_probe_cycle_duration_seconds histogram');
  });

  it('quote what could end a label', () => {
    const metrics = createMetrics();
    metrics.request({ route: '/a"\\b\nc', method: 'GET', status: 200, seconds: 0, keyId: null });
    expect(metrics.text(false)).toContain('route="/a\\"\\\\b\\nc"');
  });
});
