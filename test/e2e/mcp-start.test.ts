/** The MCP tools on an empty machine: they start a daemon and a browser, and leave neither behind. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM_FLAGS, freePort } from '../support/chromium.ts';
import { BINARY, makeHome, run, stopAll } from '../support/daemon.ts';
import { callTool as call } from '../support/mcp-tools.ts';
import { hasEnded, until } from '../support/real-processes.ts';

/** The minimum: an unused daemon ends soon. */
const IDLE_SECS = 2;
/** Longer than a first capture of a page takes. */
const SLOW_MS = 1500;
const PAGE = fs.readFileSync(path.resolve(import.meta.dirname, '../../examples/to-do.html'));
// As root, and without a screen.
const BROWSER_ARGS = CHROMIUM_FLAGS.filter((flag) => flag !== '--headless').join(',');

describe('the tools for models, where no daemon runs', () => {
  let home: string;
  let env: Record<string, string>;
  let base: string;
  const clients = new Map<Client, StdioClientTransport>();

  beforeAll(async () => {
    home = makeHome();
    const port = String(await freePort());
    base = `http://127.0.0.1:${port}`;
    env = {
      SUBSTRATE_SERVER__PORT: port,
      SUBSTRATE_SCANNER__ATTACH: 'asked',
      SUBSTRATE_MCP__IDLE_EXIT_SECS: String(IDLE_SECS),
      SUBSTRATE_BROWSER__ARGS: BROWSER_ARGS,
    };
  });
  afterEach(async () => {
    for (const client of clients.keys()) await client.close();
    clients.clear();
    await run(home, ['down'], env);
  });
  afterAll(stopAll);

  async function connect(more: Record<string, string> = {}) {
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [BINARY, 'mcp'],
      env: { PATH: process.env.PATH ?? '', HOME: home, ...env, ...more },
      stderr: 'pipe',
    });
    let said = '';
    transport.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    await client.connect(transport);
    clients.set(client, transport);
    const { pid } = transport;
    if (pid === null) throw new Error('it did not start');
    return { client, pid, said: () => said };
  }

  const data = (name: string) => path.join(home, '.local/share/substrate', name);
  const daemonPid = () => (JSON.parse(fs.readFileSync(data('daemon.json'), 'utf8')) as { pid: number }).pid;
  /** Without a key, which would keep it alive. */
  const uptime = async () => ((await (await fetch(`${base}/health`)).json()) as { uptime_secs: number }).uptime_secs;
  /** Longer than the life of an unused daemon. */
  const outlivesItsTime = async () => {
    const since = await uptime();
    await until('more time than it would have alone', async () => (await uptime()) > since + IDLE_SECS + 1);
  };

  it('go from nothing to an action with proof on a page, and leave nothing', async () => {
    const pages = http.createServer((req, res) => {
      const picture = req.url === '/' ? '<img src="/slow.png" alt="A plant">' : '';
      if (req.url === '/slow.png') setTimeout(() => res.writeHead(404).end(), SLOW_MS);
      else res.setHeader('content-type', 'text/html').end(PAGE + picture);
    });
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
    const { client, said } = await connect();
    const first = await call(client, 'list_apps');
    expect(first.text).toMatch(/^\(No daemon was running: one has been started/);
    expect(first.text).toContain('To begin: open_browser');
    expect(said()).toContain('No daemon answers: starting one.');
    const url = `http://127.0.0.1:${(pages.address() as AddressInfo).port}/`;
    const opened = await call(client, 'open_browser', { url });
    expect(opened.text).toMatch(
      /^Started a browser \(it has no window\)\.\npid \d+, confidence [\d.]+, capture_id \S+\n<app-data[^>]*>\n\(app\) "Chromium", app_id chromium-/,
    );
    expect(opened.text).toContain('tasks[0].text = "water the plants"');
    // The tool waited for its picture.
    expect(opened.text).not.toContain('page.loading');
    const app = Number(/^pid (\d+)/m.exec(opened.text)?.[1]);
    const done = await call(client, 'run_action', {
      app,
      action: 'to_do_add_task',
      parameters: { task: 'buy milk' },
      verify: 'tasks.length === 2 && text.open === 2',
    });
    expect(done.text).toMatch(/^Done\.\nVerification passed\./);
    const again = await call(client, 'open_browser', { url: `${url}second` });
    expect(again.text).toMatch(new RegExp(`^Opened in a new tab.*\\npid ${app},`));
    expect(again.text).toContain(`(url) "${url}second"`);
    expect(fs.existsSync(data('profiles/chromium'))).toBe(true);
    const [entry] = fs.readFileSync(data('audit.jsonl'), 'utf8').split('\n');
    expect(JSON.parse(entry ?? '')).toMatchObject({ action: 'open_browser', pid: app, outcome: 'ran' });
    const daemon = daemonPid();
    await client.close();
    await until('the daemon and the browser to end', () => hasEnded(daemon) && hasEnded(app));
    expect(fs.existsSync(data('daemon.json'))).toBe(false);
    pages.close();
  });

  it('have a recorded session in the docs that is still what happens', async () => {
    const root = path.resolve(import.meta.dirname, '../..');
    const page = fs.readFileSync(path.join(root, 'docs/getting-started.md'), 'utf8');
    const recorded = /^```text\n(> open_browser.*?)^```$/ms.exec(page)?.[1] ?? '';
    const session = spawnSync(process.execPath, [path.join(root, 'examples/mcp-session.mjs')], {
      env: { PATH: process.env.PATH, HOME: home, ...env },
      encoding: 'utf8',
    });
    const steady = (text: string) =>
      text.replace(/127\.0\.0\.1:\d+|"app":\d+|pid \d+|(?<=chromium-|capture_id |app-data-)[\w-]+/g, '#').split('\n');
    const lines = steady(session.stdout);
    let at = -1;
    // Shortened, but in the same order.
    for (const line of steady(recorded).filter((line) => line !== '…' && line !== '')) {
      at = lines.indexOf(line, at + 1);
      expect(at, `${line}\n${session.stdout}${session.stderr}`).toBeGreaterThan(-1);
    }
  });

  it('share one daemon, which stays as long as one of them is left, however the others ended', async () => {
    const [one, other] = await Promise.all([connect(), connect()]);
    const answers = await Promise.all([call(one.client, 'list_apps'), call(other.client, 'list_apps')]);
    expect(answers.filter(({ text }) => text.includes('has been started'))).toHaveLength(1);
    const daemon = daemonPid();
    process.kill(one.pid, 'SIGKILL');
    await outlivesItsTime();
    expect(daemonPid()).toBe(daemon);
    process.kill(other.pid, 'SIGKILL');
    await until('the daemon to end', () => hasEnded(daemon));
  });

  it('start another one when theirs was ended; one that a person wants stays', async () => {
    const { client } = await connect();
    await call(client, 'list_apps');
    const first = daemonPid();
    expect((await run(home, ['down'], env)).code).toBe(0);
    expect((await call(client, 'list_apps')).text).toContain('has been started');
    const second = daemonPid();
    expect(second).not.toBe(first);
    const { stdout } = await run(home, ['up', '--json'], env);
    expect(JSON.parse(stdout)).toMatchObject({ started: false, pid: second });
    await client.close();
    await outlivesItsTime();
    expect(hasEnded(second)).toBe(false);
  });

  it('use the daemon of a person, which does not end by itself', async () => {
    await run(home, ['up'], env);
    const { client } = await connect();
    expect((await call(client, 'list_apps')).text).not.toContain('started');
    expect(fs.readFileSync(`/proc/${daemonPid()}/cmdline`, 'utf8')).not.toContain('idle');
  });

  it('start none where the settings say so, and tell how one is started', async () => {
    const { client, said } = await connect({ SUBSTRATE_MCP__START_DAEMON: 'false' });
    expect(await call(client, 'list_apps')).toEqual({ isError: true, text: expect.stringContaining('substrate up') });
    expect(said()).toBe('');
  });
});
