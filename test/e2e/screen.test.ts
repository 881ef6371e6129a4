/** Openings and closings on a page, as reported to a model: real daemon, real browser, the tools over HTTP. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Chromium, evaluateInTab, startChromium } from '../support/chromium.ts';
import { makeHome, RunningDaemon, stopAll } from '../support/daemon.ts';
import { type InlinePages, serveInline } from '../support/inline-pages.ts';
import { callTool } from '../support/mcp-tools.ts';
import { endAll } from '../support/real-processes.ts';

const VALUES = `<!doctype html><title>Values</title><style>.off { display: none }</style>
<button onclick="box.className = ''">Add new value…</button><button>Other</button>
<div id="box" class="off" role="dialog" aria-modal="true" aria-label="New value">
<form onsubmit="return false"><label>Key <input required></label><label>Unit <input required></label>
<label>Kind <input required value="number"></label>
<button type="button" onclick="box.className = 'off'">Discard it</button><button>Store</button></form></div>
<button disabled>Not now</button>`;

describe('what opens on a page', () => {
  let pages: InlinePages;
  let chromium: Chromium;
  let daemon: RunningDaemon;
  let client: Client;

  beforeAll(async () => {
    pages = await serveInline({ '/values': VALUES });
    chromium = await startChromium({ url: `${pages.origin}/values` });
    daemon = await RunningDaemon.start(makeHome());
    await daemon.state(chromium.pid);
    client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    const requestInit = { headers: { 'X-Substrate-Key': daemon.key } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${daemon.base}/mcp`), { requestInit }));
  });
  afterAll(async () => {
    await client.close();
    await stopAll();
    await endAll();
    await pages.close();
  });

  const run = (action: string, more: object = {}) =>
    callTool(client, 'run_action', { app: chromium.pid, action, ...more });
  const list = async () => (await callTool(client, 'list_actions', { app: chromium.pid })).text;

  it('is reported with what can be done in it, needs no proof, and puts the rest behind it', async () => {
    const before = await list();
    expect(before).toContain('add_new_value');
    expect(before).not.toContain('store');
    const opened = await run('add_new_value');
    expect(opened).toMatchObject({ isError: false });
    expect(opened.text).toMatch(
      /can be done now: .*new_value_store\(key, unit, kind\?\).*discard_it|discard_it.*new_value_store/,
    );
    expect(opened.text).not.toContain('Nothing that can be read has changed');
    expect(await list()).toMatch(/only once the dialog "New value" is closed: {2}.*other/);
  });

  it('asks for all that is missing at once, and for nothing that it has', async () => {
    const missing = await run('new_value_store', { verify: 'context.url !== undefined' });
    expect(missing).toMatchObject({ isError: true });
    expect(missing.text).toMatch(/parameters\.key is missing.*parameters\.unit is missing/);
    expect(missing.text).not.toContain('parameters.kind');
  });

  it('is named by what opens it once it is closed', async () => {
    await run('discard_it', { verify: 'context.url !== undefined' });
    expect(await list()).toMatch(/not on the screen now, opened by add_new_value: {2}.*new_value_store/);
    const startedAt = performance.now();
    const closed = await run('new_value_store', { verify: 'context.url === ""', verify_timeout_ms: 20_000 });
    expect(closed).toMatchObject({ isError: true });
    expect(closed.text).toContain('is not on the screen now: add_new_value opens it');
    expect(performance.now() - startedAt).toBeLessThan(15_000);
  });

  it('did not run where the page refused it', async () => {
    const refused = await run('not_now', { verify: 'context.url === ""', verify_timeout_ms: 20_000 });
    expect(refused).toMatchObject({ isError: true });
    expect(refused.text).toMatch(/^It did not run\.[\s\S]*disabled/);
  });

  it('is waited for by what a button shows', async () => {
    const waiting = callTool(client, 'wait_for', { app: chromium.pid, text: 'Measure the pier', timeout_ms: 20_000 });
    await evaluateInTab(chromium, `document.body.insertAdjacentHTML('beforeend', '<button>Measure the pier</button>')`);
    expect((await waiting).text).toMatch(/^Seen[\s\S]*measure_the_pier/);
  });
});
