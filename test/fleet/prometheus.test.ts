/** Debian's Prometheus asks a daemon for its metrics, and for chosen numbers of an app. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeHome, RunningDaemon, stopAll } from '../support/daemon.ts';
import { freePort } from '../support/nats.ts';
import { startProgram } from '../support/programs.ts';
import { endAll, start, until } from '../support/real-processes.ts';
import { tempFolder } from '../unit/store/temp-folder.ts';

const SHOP = path.resolve(import.meta.dirname, '../../examples/coffee-shop.mjs');

afterAll(async () => {
  await stopAll();
  await endAll();
});

it('shows chosen keys as gauges to whoever asks as Prometheus does', async () => {
  const [shop, daemon, port] = await Promise.all([
    startProgram(process.execPath, [SHOP]),
    RunningDaemon.start(makeHome(), {
      env: {
        SUBSTRATE_METRICS__KEYS: 'coffee*:shop.queue.length,coffee*:day',
        SUBSTRATE_SCANNER__ATTACH: 'asked',
        SUBSTRATE_PROBE__INTERVAL_MS: '100',
      },
    }),
    freePort(),
  ]);
  await until('the state', async () => (await daemon.get(`/substrate/v1/state/${shop.pid}`)).status === 200);
  const text = await (
    await fetch(`${daemon.base}/metrics`, { headers: { authorization: `Bearer ${daemon.key}` } })
  ).text();
  // Complains about everything that is not as it should be.
  expect(String(execFileSync('promtool', ['check', 'metrics'], { input: text }))).toBe('');

  const folder = tempFolder();
  writeFileSync(path.join(folder, 'key'), daemon.key, { mode: 0o600 });
  const config = {
    global: { scrape_interval: '1s' },
    scrape_configs: [
      {
        job_name: 'substrate',
        static_configs: [{ targets: [daemon.base.replace('http://', '')] }],
        authorization: { credentials_file: path.join(folder, 'key') },
      },
    ],
  };
  // What is JSON is YAML, too.
  writeFileSync(path.join(folder, 'prometheus.yml'), JSON.stringify(config));
  const address = `127.0.0.1:${port}`;
  const flags = ['--config.file=prometheus.yml', '--storage.tsdb.path=data', `--web.listen-address=${address}`];
  start('prometheus', flags, { cwd: folder, stdio: 'ignore' });
  const asked = async (query: string) => {
    const url = `http://${address}/api/v1/query?query=${encodeURIComponent(query)}`;
    const answer = await fetch(url).catch(() => null);
    if (answer?.status !== 200) return null;
    const { data } = (await answer.json()) as { data: { result: { metric: object; value: [number, string] }[] } };
    return data.result.length === 0 ? null : data.result;
  };
  const found = await until('the gauge', () => asked('substrate_key_value{key="shop.queue.length"}'));
  expect(found).toMatchObject([{ metric: { pid: String(shop.pid), key: 'shop.queue.length', job: 'substrate' } }]);
  expect(Number(found[0]?.value[1])).toBeGreaterThanOrEqual(0);
  expect(await until('the daemon itself', () => asked('up{job="substrate"} == 1'))).toHaveLength(1);
});
