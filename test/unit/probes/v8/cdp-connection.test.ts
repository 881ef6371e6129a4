import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { OWN_NETWORK } from '../../../../src/host/own-network.ts';
import { WsTargets } from '../../../../src/probes/drivers/v8/browser/ws-targets.ts';
import { CdpConnection } from '../../../../src/probes/drivers/v8/cdp/cdp-connection.ts';

/** Messages of a program that only looks like a browser. */
const EVENTS = [
  'Target.detachedFromTarget',
  'Target.targetDestroyed',
  'Target.targetCreated',
  'Target.attachedToTarget',
];
const ODD: unknown[] = [{ toString: 1, valueOf: 1 }, null, [], 5, { sessionId: {} }, '__proto__'];

describe('a connection to a program that is hostile', () => {
  const servers: WebSocketServer[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      for (const client of server.clients) client.terminate();
      server.close();
    }
  });

  async function connect(maxBytes?: number): Promise<{ connection: CdpConnection; peer: WebSocket }> {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    servers.push(server);
    await new Promise((resolve) => server.once('listening', resolve));
    const accepted = new Promise<WebSocket>((resolve) => server.once('connection', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const connection = await CdpConnection.open(OWN_NETWORK, `ws://127.0.0.1:${port}`, 5000, maxBytes);
    const peer = await accepted;
    peer.on('message', (text) => peer.send(JSON.stringify({ id: JSON.parse(String(text)).id, result: {} })));
    return { connection, peer };
  }

  /** Resolves when all earlier messages are received. */
  const answered = ({ connection }: Awaited<ReturnType<typeof connect>>) => connection.send('Browser.getVersion');

  it('bears ids that are no texts', async () => {
    const ends = await connect();
    await WsTargets.open(ends.connection);
    for (const method of EVENTS)
      for (const odd of ODD)
        ends.peer.send(JSON.stringify({ method, params: { sessionId: odd, targetId: odd, targetInfo: odd } }));
    expect(await answered(ends)).toEqual({});
  });

  it('bears whatever it says', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 20 }), async (messages) => {
        const ends = await connect();
        await WsTargets.open(ends.connection);
        for (const message of messages) ends.peer.send(JSON.stringify(message));
        for (const params of messages) ends.peer.send(JSON.stringify({ method: EVENTS[0], params }));
        expect(await answered(ends)).toEqual({});
        ends.peer.terminate();
        await ends.connection.closed;
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ['is too long', `"${'x'.repeat(2000)}"`, 1000],
    ['would take minutes to read', '['.repeat(8_000_001), undefined],
  ])('is ended by a message that %s', async (_, message, maxBytes) => {
    const { connection, peer } = await connect(maxBytes);
    peer.send(message);
    await connection.closed;
  });

  it('keeps no more pages in mind than anybody could have open', async () => {
    const ends = await connect();
    const targets = await WsTargets.open(ends.connection);
    const url = `data:,${'x'.repeat(100_000)}`;
    for (let at = 0; at < 1100; at++) {
      const targetInfo = { targetId: `t${at}`, type: 'page', title: 'x', url: at === 0 ? url : 'about:blank' };
      ends.peer.send(JSON.stringify({ method: 'Target.targetCreated', params: { targetInfo } }));
    }
    await answered(ends);
    const pages = await targets.list();
    expect(pages).toHaveLength(1000);
    expect(pages[0]?.url).toHaveLength(65_536);
  });

  it('has no session without an id', async () => {
    const ends = await connect();
    const targets = await WsTargets.open(ends.connection);
    const targetInfo = { targetId: 't', type: 'page', title: '', url: '' };
    ends.peer.send(JSON.stringify({ method: 'Target.targetCreated', params: { targetInfo } }));
    await answered(ends);
    // Every request gets an empty answer.
    const [page] = await targets.list();
    await expect(page?.attach()).rejects.toThrow('no id');
    await expect(targets.open('about:blank')).rejects.toThrow('no id');
  });

  it('is ended when what listens to it cannot bear it', async () => {
    const { connection, peer } = await connect();
    connection.on('Page.javascriptDialogOpening', () => {
      throw new Error('that makes no sense');
    });
    peer.send(JSON.stringify({ method: 'Page.javascriptDialogOpening', params: {} }));
    await connection.closed;
  });
});
