/**
 * Connections whose other end is known. While the daemon is down any user of the machine can listen at its address, and
 * would get the key: so, on loopback, this talks only to a process of the same user or of root. The connection is made
 * first and its other end is then read from the kernel's table: nobody can step in between.
 */
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import { endianness } from 'node:os';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { ForeignListenerError } from './errors.ts';

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];
const ROOT = 0;
/** A daemon accepts connections at once; a stopped one never does. */
const ACCEPT_MS = 5000;
const MAX_POLL_MS = 50;
/** Less than the daemon keeps them, so that no request meets a connection that is being closed. */
const IDLE_MS = 10_000;
const HUNG_UP = 'the other end has hung up';

/** Both ends of a connection, as this side sees them. */
export interface Ends {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
}

/** On other systems a program cannot find out who is at the other end. */
export function canTellPeers(platform: NodeJS.Platform = process.platform): boolean {
  return platform === 'linux';
}

export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address);
}

/**
 * The user whose process has accepted a connection. Null if nobody has yet: until then the row has no inode, and a
 * meaningless user number 0, which is root's.
 */
export function ownerIn(table: string, ends: Ends): number | null {
  const local = hexOf(ends.remoteAddress, ends.remotePort);
  const remote = hexOf(ends.localAddress, ends.localPort);
  for (const line of table.split('\n')) {
    // sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode …
    const [, from = '', to = '', , , , , uid = '', , inode = ''] = line.trim().split(/\s+/);
    if (!local.has(from) || !remote.has(to)) continue;
    if (/^\d+$/.test(uid) && /^[1-9]\d*$/.test(inode)) return Number(uid);
  }
  return null;
}

/** The kernel's form: words in the byte order of the machine. A socket of IPv6 may have an address of IPv4. */
function hexOf(address: string, port: number): ReadonlySet<string> {
  const bytes =
    address === '::1'
      ? [...Array<number>(15).fill(0), 1]
      : [...Array<number>(10).fill(0), 255, 255, ...address.replace('::ffff:', '').split('.').map(Number)];
  const long = Buffer.from(bytes);
  if (endianness() === 'LE') long.swap32();
  const hex = long.toString('hex').toUpperCase();
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return new Set(address === '::1' ? [hex + suffix] : [hex + suffix, hex.slice(24) + suffix]);
}

/** Throws `ForeignListenerError`, or the reason why the owner is not known. */
async function checkPeer(socket: net.Socket): Promise<void> {
  const { remoteAddress = '', remotePort = 0, localAddress = '', localPort = 0 } = socket;
  if (!canTellPeers() || !isLoopbackAddress(remoteAddress)) return;
  const ends = { remoteAddress, remotePort, localAddress, localPort };
  const deadline = performance.now() + ACCEPT_MS;
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, MAX_POLL_MS)) {
    const owner = await ownerOf(ends);
    if (owner === ROOT || (owner !== null && owner === process.geteuid?.())) return;
    const place = `${remoteAddress.includes(':') ? `[${remoteAddress}]` : remoteAddress}:${remotePort}`;
    if (owner !== null) throw new ForeignListenerError(place, remotePort, await userName(owner));
    if (socket.destroyed) throw new Error(HUNG_UP);
    if (performance.now() > deadline) throw new ForeignListenerError(place, remotePort, null);
    await delay(pauseMs);
  }
}

async function ownerOf(ends: Ends): Promise<number | null> {
  for (const table of TABLES) {
    const owner = ownerIn(await readTable(table), ends);
    if (owner !== null) return owner;
  }
  return null;
}

/** Without IPv6 there is no table of it. An unreadable table means no known owner, and nothing is sent. */
function readTable(file: string): Promise<string> {
  // No table means no owner: see above.
  return readFile(file, 'latin1').catch(() => '');
}

async function userName(uid: number): Promise<string> {
  // Without that file the number of the user must be enough.
  const known = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const name = known.split('\n').find((line) => line.split(':')[2] === String(uid));
  return name === undefined ? `uid ${uid}` : `${name.split(':')[0]}, uid ${uid}`;
}

/** Returns a connection only after its other end was checked: nothing has been sent by then. */
class PeerCheckingAgent extends http.Agent {
  override createConnection(
    { host, port }: http.ClientRequestArgs,
    callback: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const socket = net.connect({ host: host ?? '127.0.0.1', port: Number(port) });
    const fail = (error: Error) => {
      socket.destroy();
      callback(error, socket);
    };
    socket.once('error', fail);
    socket.once('connect', () => {
      checkPeer(socket).then(() => {
        // A request on a closed socket would wait for ever: it gets no end event any more.
        if (socket.destroyed) return fail(new Error(HUNG_UP));
        socket.off('error', fail);
        callback(null, socket);
      }, fail);
    });
  }
}

/** The agent of a watch: its connection is used for nothing else. */
export function watchAgent(): http.Agent {
  return new PeerCheckingAgent();
}

const agent = new PeerCheckingAgent({ keepAlive: true, timeout: IDLE_MS });

/**
 * Like `fetch`, for http alone; with TLS the certificate proves who answers. Follows no redirect, which could lead the
 * key anywhere.
 */
export const fetchFromOwn: typeof fetch = async (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  if (url.protocol !== 'http:') return await fetch(input, { redirect: 'error', ...init });
  const request = new Request(input, init);
  const body = Buffer.from(await request.arrayBuffer());
  // A Request's signal loses the signal that it was made of at a garbage collection.
  const signal = init?.signal ?? request.signal;
  const { status, headers, chunks } = await answerTo(url, request, body, signal);
  return new Response(chunks.length === 0 ? null : Buffer.concat(chunks), { status, headers });
};

interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly chunks: Buffer[];
}

function answerTo(url: URL, { method, headers }: Request, body: Buffer, signal: AbortSignal): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const options = { agent, method, signal, headers: Object.fromEntries(headers) };
    const outgoing = http.request(url, options, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.once('error', reject);
      incoming.once('end', () => {
        const received = new Headers();
        for (const [name, values] of Object.entries(incoming.headersDistinct))
          for (const value of values ?? []) received.append(name, value);
        resolve({ status: incoming.statusCode ?? 0, headers: received, chunks });
      });
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}
