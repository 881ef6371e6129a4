/** Apps of other hosts by `host/app`: clients, commands, MCP tools. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it, onTestFinished, vi } from 'vitest';
import { listHosts } from '../../src/cli/commands/apps.ts';
import { createProgram } from '../../src/cli/program.ts';
import { createTerminal } from '../../src/cli/terminal.ts';
import { Substrate } from '../../src/client/node.ts';
import { startInFleet } from '../support/fleet.ts';
import { startNats } from '../support/nats.ts';
import { APP_ID, PID, STATE, SUMMARY } from '../unit/http/fake-service.ts';

/** A gateway without apps, and a host with one. */
async function twoHosts() {
  const nats = await startNats();
  const host = await startInFleet(nats, 'web-3', {
    service: { listApps: () => [{ ...SUMMARY, app_id: `${APP_ID}00000000` }] },
  });
  const gateway = await startInFleet(nats, 'gate', { sharedKeys: host.keysFile, service: { listApps: () => [] } });
  return { nats, host, gateway, substrate: new Substrate({ baseUrl: gateway.url, key: gateway.key }) };
}

it('the client takes them wherever it takes an app', async () => {
  const { substrate, gateway } = await twoHosts();
  expect((await substrate.hosts()).hosts.map(({ host }) => host)).toEqual(['gate', 'web-3']);
  expect((await substrate.state('web-3/inbox')).objects).toEqual(STATE.objects);
  expect((await substrate.state(`web-3/${PID}`)).pid).toBe(PID);
  expect((await substrate.on('web-3').apps()).map(({ pid }) => pid)).toEqual([PID]);
  expect((await substrate.ready('web-3/Inbox')).pid).toBe(PID);
  expect((await substrate.schema('web-3/inbox')).actions).toHaveProperty('archive');
  expect(await substrate.action('web-3/inbox', 'archive', { id: '1' })).toMatchObject({ success: true });
  expect(await substrate.verify('web-3/inbox', 'inbox.unread === 3')).toMatchObject({ passed: true });
  expect(await substrate.stateIfChanged('web-3/inbox', STATE)).toBeNull();
  await expect(substrate.state('inbox')).rejects.toMatchObject({ code: 'not_found' });
  await expect(substrate.state('web-4/inbox')).rejects.toMatchObject({ code: 'host_unreachable', status: 504 });

  const said: string[] = [];
  const stream = { write: (text: string) => said.push(text) > 0, isTTY: false };
  const terminal = createTerminal(stream, stream, {});
  const connection = { baseUrl: gateway.url, key: gateway.key };
  await listHosts({ substrate, terminal, json: false, wait: false, schemasDir: null, connection });
  expect(said.join('')).toMatch(/^HOST\/PID.*\nweb-3\/4242 .*Inbox\ngate: no app is tracked\n$/s);
});

it('the client for Python takes them, too', async () => {
  const { gateway, host } = await twoHosts();
  const program = `
from substrated import Substrate, SubstrateError
s = Substrate()
print([one["host"] for one in s.hosts()["hosts"]])
print(s.state("web-3/inbox")["objects"]["inbox.unread"], s.app("web-3/${PID}")["pid"], s.ready("web-3/Inbox")["pid"])
print(s.action("web-3/inbox", "archive", {"id": "1"})["success"], s.on("web-3").verify("inbox", "true")["passed"])
print(s.on("web-3").health()["status"])
for event in s.watch("web-3/inbox"):
    print(event["kind"], flush=True)
try: s.state("web-4/inbox")
except SubstrateError as error: print(error.code, error.status)
`;
  const env = { PYTHONPATH: 'clients/python', SUBSTRATE_URL: gateway.url, SUBSTRATE_KEY: gateway.key };
  const running = promisify(execFile)('python3', ['-BW', 'error', '-c', program], { env });
  await vi.waitFor(() => expect(host.service.watchers.size).toBe(1), { timeout: 10_000 });
  host.service.change(['inbox.unread']);
  host.service.exit();
  const lines = (await running).stdout.trim().split('\n');
  expect(lines.slice(0, 4)).toEqual(["['gate', 'web-3']", `3 ${PID} ${PID}`, 'True True', 'ok']);
  expect(lines.slice(4, -1).sort()).toEqual(['change', 'state']);
  expect(lines.at(-1)).toBe('host_unreachable 504');
});

it('commands take them in place of an app', async () => {
  const { gateway } = await twoHosts();
  const said: string[] = [];
  const stream = { write: (text: string) => said.push(text) > 0, isTTY: false };
  const terminal = createTerminal(stream, stream, {});
  const exitCode = process.exitCode;
  onTestFinished(() => {
    process.exitCode = exitCode;
  });
  const run = async (...words: string[]) => {
    said.length = 0;
    const program = createProgram({ terminal, env: { SUBSTRATE_KEY: gateway.key }, homeDir: '/nowhere' });
    await program.parseAsync(['node', 'substrate', ...words, '--url', gateway.url]);
    return said.join('');
  };
  expect(await run('state', 'web-3/inbox', '--flat')).toContain('inbox.unread = 3');
  expect(await run('verify', 'web-3/4242', 'inbox.unread === 3')).toContain('inbox.unread is 3');
  expect(JSON.parse(await run('apps', '--hosts', '--json'))).toMatchObject({
    total: 2,
    hosts: [
      { host: 'gate', apps: [] },
      { host: 'web-3', apps: [{ pid: PID }] },
    ],
  });
  await expect(run('state', 'web-4/inbox')).rejects.toMatchObject({ code: 'host_unreachable' });
});

it('tools for models take them, and run where the app is', async () => {
  const { gateway, host } = await twoHosts();
  const call = async (name: string, input: object, key = gateway.key) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
    const answer = await gateway.post('/mcp', body, { 'X-Substrate-Key': key });
    const { result } = answer.json() as { result: { content: [{ text: string }]; isError?: boolean } };
    return { text: result.content[0].text, isError: result.isError ?? false };
  };
  expect((await call('list_apps', {})).text).toContain(
    'Other hosts (list_apps with `host`; name their apps host/app): web-3',
  );
  expect((await call('list_apps', { host: 'web-3' })).text).toContain(`${PID}  ${APP_ID}`);
  expect((await call('read_state', { app: 'web-3/inbox' })).text).toContain('unread = 3');
  expect((await call('run_action', { app: `web-3/${PID}`, action: 'archive' })).text).toContain('Done.');
  expect(await call('read_state', { app: 'web-4/inbox' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('host_unreachable'),
  });
  await vi.waitFor(() => expect(host.log.some(({ route }) => route === '/mcp')).toBe(true));
});
