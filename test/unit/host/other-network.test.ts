import { once } from 'node:events';
import net from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createHost } from '../../../src/host/host.ts';
import { OWN_NETWORK } from '../../../src/host/own-network.ts';
import type { ProcessInfo, ProcessNetwork } from '../../../src/model/process.ts';
import { canContain, inContainer } from '../../support/container.ts';
import { startProgram } from '../../support/programs.ts';
import { endAll, hasEnded, start, until } from '../../support/real-processes.ts';

const { inspector } = createHost();
const MEGABYTES = 8;

/** Says what it gets, from port 7000 of both versions; on port 7001 it says a lot and takes nothing. */
const SERVER = `
  const net = require('net');
  const echo = (socket) => socket.pipe(socket).on('error', () => {});
  net.createServer({ allowHalfOpen: true }, echo).listen(7000, '127.0.0.1', () => {
    net.createServer((socket) => socket.write(Buffer.alloc(1e6))).listen(7001, '127.0.0.1', () => console.log('ready'));
  });`;

const TRY_NAME = `
  require('net').createServer().on('error', ({ code }) => process.stdout.write(code))
    .listen('\\0'.concat(process.argv[1]).padEnd(108, '\\0'), () => process.stdout.write('free'));`;

async function startServer(isRootless = false): Promise<ProcessInfo> {
  const { info } = await startProgram(process.execPath, ['-e', SERVER], {
    by: inContainer({ isRootless }),
    ready: /ready/,
  });
  return info;
}

async function connect(network: ProcessNetwork, port: number): Promise<net.Socket> {
  const socket = await network.connect('127.0.0.1', port);
  if (!(socket instanceof net.Socket)) throw new Error('it is no socket');
  return socket;
}

/** The programs that pass bytes on for this process. */
async function helpers(): Promise<number[]> {
  const { scanner } = createHost();
  const all = (await scanner.scan()).appeared;
  return all.filter(({ ppid, exe }) => ppid === process.pid && exe?.includes('enter-network')).map(({ pid }) => pid);
}

describe.runIf(canContain())('the network of a container', () => {
  afterEach(endAll);

  it.each([
    ['of root', false],
    ['with users of its own', true],
  ])('%s is entered, and every byte passed on, to the end', async (_, isRootless) => {
    const network = inspector.network(await startServer(isRootless));
    expect(network.id).toMatch(/^net:\[\d+\]$/);
    expect(await network.whyClosed()).toBeNull();
    const socket = await connect(network, 7000);
    const sent = Buffer.alloc(MEGABYTES * 1024 * 1024, 'substrate ');
    const received: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => received.push(chunk));
    socket.end(sent);
    await once(socket, 'end');
    expect(Buffer.concat(received).equals(sent)).toBe(true);
    await until('no helper to be left', async () => (await helpers()).length === 0);
  });

  it('has its own ports: what listens here does not listen there', async () => {
    const server = net.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const network = inspector.network(await startServer());
    await expect(network.connect('127.0.0.1', port)).rejects.toThrow('nothing listens there');
    server.close();
  });

  it('has names that one program at a time can hold, and not those of our network', async () => {
    const info = await startServer();
    const name = `substrate-test-${process.pid}`;
    const ours = await OWN_NETWORK.hold(name);
    expect(await OWN_NETWORK.hold(name)).toBe('taken');
    const held = await inspector.network(info).hold(name);
    // As a program in that network would.
    const tried = start('nsenter', ['-t', String(info.pid), '-n', process.execPath, '-e', TRY_NAME, name]);
    const [answer] = tried.child.stdout ? await once(tried.child.stdout, 'data') : [];
    expect(String(answer)).toBe('EADDRINUSE');
    expect(await inspector.network(info).hold(name)).toBe('taken');
    for (const one of [ours, held]) if (one !== null && one !== 'taken') one.release();
    const again = await until('the name', async () => {
      const found = await inspector.network(info).hold(name);
      return found !== 'taken' && found;
    });
    again.release();
    await expect(inspector.network(info).hold('x'.repeat(200))).resolves.toBeNull();
  });

  it('is connected to by loopback addresses alone', async () => {
    const network = inspector.network(await startServer());
    await expect(network.connect('10.0.0.1', 7000)).rejects.toThrow('step a');
  });

  it('is left when the connection ends here, also while much is on its way', async () => {
    const info = await startServer();
    const socket = await connect(inspector.network(info), 7001);
    const [helper = 0] = await helpers();
    expect(inspector.portClients(info, 7001)).toEqual([]);
    socket.destroy();
    await until('the helper to end', () => hasEnded(helper));
  });

  it('is left when the program ends', async () => {
    const info = await startServer();
    const socket = await connect(inspector.network(info), 7000);
    const closed = once(socket.resume(), 'close');
    await endAll();
    await closed;
    await expect(inspector.network(info).connect('127.0.0.1', 7000)).rejects.toThrow();
  });
});
