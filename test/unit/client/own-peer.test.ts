import http from 'node:http';
import net from 'node:net';
import { endianness } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ForeignListenerError, Substrate } from '../../../src/client/node.ts';
import { canTellPeers, ownerIn } from '../../../src/client/own-peer.ts';

const HEADING =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode                     \n';
const row = (local: string, remote: string, uid: number, inode: number) =>
  `   1: ${local} ${remote} 01 00000000:00000000 00:00000000 00000000 ${String(uid).padStart(5)}        0 ${inode} 1 0000000000000000 20 4 30 10 -1\n`;

async function listen(server: net.Server | http.Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe.runIf(endianness() === 'LE')('who has accepted a connection', () => {
  const ends = { remoteAddress: '127.0.0.1', remotePort: 7842, localAddress: '127.0.0.1', localPort: 0xc001 };
  const [server, client] = ['0100007F:1EA2', '0100007F:C001'];

  it('is told by the row of its end, not by that of ours or of others', () => {
    const others = row(client, server, 1, 5) + row(server, '0100007F:C002', 2, 6) + row('0100007F:1EA3', client, 3, 7);
    expect(ownerIn(HEADING + others, ends)).toBe(null);
    expect(ownerIn(HEADING + others + row(server, client, 1000, 8), ends)).toBe(1000);
  });

  it('is nobody as long as it waits: the number in its row is root’s, and means nothing', () => {
    expect(ownerIn(HEADING + row(server, client, 0, 0), ends)).toBe(null);
    expect(ownerIn(HEADING + row(server, client, 0, 9), ends)).toBe(0);
  });

  it('may be a socket of IPv6', () => {
    const mapped = '0000000000000000FFFF0000';
    expect(ownerIn(HEADING + row(mapped + server, mapped + client, 7, 8), ends)).toBe(7);
    const six = '00000000000000000000000001000000';
    const sixEnds = { ...ends, remoteAddress: '::1', localAddress: '::1' };
    expect(ownerIn(HEADING + row(`${six}:1EA2`, `${six}:C001`, 7, 8), sixEnds)).toBe(7);
    expect(ownerIn(HEADING + row(server, client, 7, 8), sixEnds)).toBe(null);
  });
});

describe('the client', () => {
  it('sends the key to its own user, but not where none is needed', async () => {
    const seen: [string | undefined, string | string[] | undefined][] = [];
    const port = await listen(
      http.createServer((req, res) => {
        seen.push([req.url, req.headers['x-substrate-key']]);
        res.end(JSON.stringify({ apps: [] }));
      }),
    );
    const substrate = new Substrate({ baseUrl: `http://localhost:${port}`, key: 'sk_1' });
    await substrate.health();
    await substrate.apps();
    expect(seen).toEqual([
      ['/health', undefined],
      ['/substrate/v1/apps', 'sk_1'],
    ]);
  });

  it('follows nobody elsewhere with it', async () => {
    const seen: (string | undefined)[] = [];
    const port = await listen(
      http.createServer((req, res) => {
        seen.push(req.url);
        res.writeHead(307, { location: '/elsewhere' }).end();
      }),
    );
    const substrate = new Substrate({ baseUrl: `http://127.0.0.1:${port}`, key: 'sk_1' });
    await expect(substrate.apps()).rejects.toThrow('is no substrate: it answered 307');
    expect(seen).toEqual(['/substrate/v1/apps']);
  });

  it('says that nobody answers where the other end hangs up', async () => {
    const port = await listen(net.createServer((socket) => socket.destroy()));
    const substrate = new Substrate({ baseUrl: `http://127.0.0.1:${port}`, key: 'sk_1' });
    const error = await substrate.apps().catch((failure: unknown) => failure);
    expect(error).toMatchObject({ name: 'ConnectionError', message: expect.stringContaining('No substrate answers') });
    expect(error).not.toBeInstanceOf(ForeignListenerError);
  });

  it('never waits for one that hangs up while it is being looked at', async () => {
    let connections = 0;
    const port = await listen(net.createServer((socket) => setTimeout(() => socket.destroy(), connections++ / 2)));
    const substrate = new Substrate({ baseUrl: `http://127.0.0.1:${port}`, key: 'sk_1' });
    for (let attempt = 0; attempt < 40; attempt++)
      await expect(substrate.apps()).rejects.toThrow('No substrate answers');
  });

  it('ends a request whose signal is aborted', async () => {
    const port = await listen(http.createServer(() => {}));
    const substrate = new Substrate({ baseUrl: `http://127.0.0.1:${port}`, key: 'sk_1' });
    await expect(substrate.apps({ signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

it('knows who is at the other end on Linux alone', () => {
  expect(['linux', 'darwin', 'win32'].map((platform) => canTellPeers(platform as NodeJS.Platform))).toEqual([
    true,
    false,
    false,
  ]);
});
