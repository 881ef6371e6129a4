import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { OWN_NETWORK } from '../../src/host/own-network.ts';
import type { ActionResponse, ErrorBody, SubstrateState, WatchMessage } from '../../src/model/wire.ts';
import { type Chromium, openPage, startChromium } from '../support/chromium.ts';
import { makeHome, makeKey, RunningDaemon, stopAll } from '../support/daemon.ts';
import { type PageServer, startPageServer } from '../support/page-server.ts';
import { endAll, until } from '../support/real-processes.ts';

type Reply = ActionResponse & ErrorBody;

describe('a browser behind the daemon', () => {
  let server: PageServer;
  let daemon: RunningDaemon;
  let chromium: Chromium;

  beforeAll(async () => {
    server = await startPageServer();
  });
  afterAll(() => server.close());
  afterEach(async () => {
    await stopAll();
    await endAll();
  });

  async function begin(path: string, env: Record<string, string> = {}): Promise<void> {
    chromium = await startChromium({ url: `${server.origin}/${path}` });
    daemon = await RunningDaemon.start(makeHome(), {
      env: { SUBSTRATE_RATE_LIMIT__ACTION_PER_SECOND: '1000', ...env },
    });
    await daemon.state(chromium.pid);
  }
  const read = async () => (await daemon.get<SubstrateState>(`/substrate/v1/state/${chromium.pid}?fresh=true`)).body;
  const act = (body: object) =>
    daemon.post<Reply>('/substrate/v1/action', { pid: chromium.pid, parameters: {}, ...body });

  it('is served like any other app, with all of its context', async () => {
    await begin('spa-routes/orders/1002/edit');
    const state = await read();
    expect(state).toMatchObject({
      app_name: 'Chromium',
      runtime: 'v8',
      context: {
        url: `${server.origin}/spa-routes/orders/1002/edit`,
        location: '/spa-routes/orders/1002/edit',
        window_title: 'Edit order 1002',
        window_id: state.objects['tabs[0].id'],
      },
      probe_metadata: { probe_tier: 'aso_fast', dom_tier_used: true },
    });
    expect(state.context.view).toMatch(/orders.*edit/);
    expect(state.context.view).not.toContain('1002');
    expect(await daemon.app(chromium.pid)).toMatchObject({
      probe_status: 'active',
      runtime_name: 'Chromium',
      current_url: state.context.url,
      current_view: state.context.view,
    });
  });

  it('does what it is asked to, and proves it', async () => {
    await begin('react-rtk/');
    const { body } = await act({
      action: 'compose_send',
      parameters: { recipient: 'grace@example.com', subject: 'Hello', body: 'How are you?' },
      verify_expression: 'forms.compose.recipient === ""',
    });
    expect(body).toMatchObject({ success: true, executed: true, verification: { passed: true }, raw_return: null });

    const unproven = await act({ action: 'compose_send', parameters: { recipient: 'x@example.com' } });
    expect(unproven).toMatchObject({ status: 400, body: { error: { code: 'missing_verify_expression' } } });
    const failed = await act({
      action: 'mark_quarterly_report_as_read',
      verify_expression: 'inbox.emails[0].subject === "never"',
      verify_timeout_ms: 600,
    });
    expect(failed).toMatchObject({ status: 422, body: { error: { code: 'verification_failed' } } });
    expect(failed.body.state_delta).toMatchObject({ 'inbox.emails[0].read': { before: false, after: true } });
    const nothing = await act({ action: 'focus', parameters: { selector: '#nothing' } });
    expect(nothing).toMatchObject({ status: 200, body: { success: false, executed: false } });
    expect(nothing.body.message).toContain('#nothing');
  });

  it('tells watchers of a change without waiting for the next poll', async () => {
    // So long that no poll comes in between.
    await begin('react-rtk/', { SUBSTRATE_PROBE__INTERVAL_MS: '60000' });
    const socket = daemon.watch(chromium.pid);
    await once(socket, 'open');
    const pages = (await (await fetch(`http://127.0.0.1:${chromium.debugPort}/json/list`)).json()) as {
      id: string;
      type: string;
    }[];
    expect(pages.filter(({ type }) => type === 'page')).toHaveLength(1);
    const told = once(socket, 'message');
    await act({ action: 'set_show', parameters: { value: 'unread' } });
    const [data] = await told;
    const message = JSON.parse(String(data)) as WatchMessage;
    expect(message.changed_keys).toContain('inbox.filter');

    const again = once(socket, 'message');
    await openPage(chromium, 'about:blank');
    await again;
    socket.close();
  });

  it('is told of by the page itself, by each that comes after another', async () => {
    await begin('react-rtk/', { SUBSTRATE_PROBE__INTERVAL_MS: '60000' });
    const socket = daemon.watch(chromium.pid);
    await once(socket, 'open');
    await act({ action: 'navigate', parameters: { url: `${server.origin}/plain/` } });
    await until('the other page', async () => (await read()).objects.orderStatus === 'open');
    const keys = new Set<string>();
    socket.on('message', (data) => {
      for (const key of (JSON.parse(String(data)) as WatchMessage).changed_keys) keys.add(key);
    });
    const list = (await (await fetch(`http://127.0.0.1:${chromium.debugPort}/json/list`)).json()) as {
      type: string;
      webSocketDebuggerUrl: string;
    }[];
    const target = list.find(({ type }) => type === 'page');
    const { CdpConnection } = await import('../../src/probes/drivers/v8/cdp/cdp-connection.ts');
    const person = await CdpConnection.open(OWN_NETWORK, String(target?.webSocketDebuggerUrl), 5000);
    await until('the change to arrive', async () => {
      await person.send('Runtime.evaluate', { expression: "document.querySelector('#ship').click()" });
      return keys.has('orderStatus') || null;
    });
    await person.close();
    socket.close();
  });

  it('keeps names and corrections over a restart, and no secret on disk or in the log', async () => {
    const home = makeHome();
    const { key } = await makeKey(home);
    chromium = await startChromium({ url: `${server.origin}/svelte/` });
    daemon = await RunningDaemon.start(home, { key });
    const before = await daemon.state(chromium.pid);
    await daemon.stop('SIGKILL');
    daemon = await RunningDaemon.start(home, { key });
    const after = await daemon.state(chromium.pid);
    expect(after.app_id).toBe(before.app_id);
    expect(Object.keys(after.objects).sort()).toEqual(Object.keys(before.objects).sort());
    await daemon.post('/substrate/v1/action', {
      pid: chromium.pid,
      action: 'navigate',
      parameters: { url: `${server.origin}/plain/` },
    });
    await until('the other page', async () => (await read()).objects.orderStatus === 'open');
    await daemon.stop();
    const files = fs.readdirSync(home, { recursive: true, encoding: 'utf8' }).map((file) => path.join(home, file));
    const texts = files.filter((file) => fs.statSync(file).isFile()).map((file) => fs.readFileSync(file, 'utf8'));
    expect(texts.join('\n')).toContain('orderStatus');
    for (const secret of ['hunter2-plain', 'sk_live_51HqPlainPageSecret']) {
      expect(texts.join('\n')).not.toContain(secret);
      expect(daemon.stderr()).not.toContain(secret);
    }
  });

  it('says why a browser without a port shows nothing', async () => {
    chromium = await startChromium({ port: 'none' });
    daemon = await RunningDaemon.start(makeHome());
    await until('the reason', async () => (await daemon.app(chromium.pid))?.probe_status === 'error');
    const { status, body } = await daemon.get<ErrorBody>(`/substrate/v1/state/${chromium.pid}`);
    expect(status).toBe(503);
    expect(body.error.message).toContain('runs without a debugging port');
    expect(daemon.stderr()).toContain('--remote-debugging-port=0');
  });

  it('looks through the heap where the state hides, within the bucket', async () => {
    await begin('timer-closure/', { SUBSTRATE_RATE_LIMIT__SNAPSHOT_PER_MINUTE: '1' });
    // The results of the scan are read within the budget, which may take another capture.
    const state = await until('what only the heap leads to', async () => {
      const { body } = await daemon.get<SubstrateState>(`/substrate/v1/state/${chromium.pid}`);
      return 'zone' in body.objects && body;
    });
    expect(state.probe_metadata.probe_tier).toBe('heap_snapshot');
    expect(state.objects).toMatchObject({ zone: 'Europe/Paris', 'alarms[0].at': '07:30' });
    // A new document hides it again: each heap scan that a client requests is counted.
    const statuses: number[] = [];
    for (const visit of [1, 2]) {
      const url = `${server.origin}/timer-closure/?visit=${visit}`;
      await act({ action: 'navigate', parameters: { url } });
      const route = `/substrate/v1/state/${chromium.pid}?fresh=true`;
      statuses.push((await daemon.get(route)).status);
    }
    expect(statuses).toEqual([200, 429]);
  });
});
