import { readdirSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { createHost } from '../../../src/host/host.ts';
import type { ProcessInfo, ProcessRef } from '../../../src/model/process.ts';
import { canUnshare, end, endAll, running, start, until } from '../../support/real-processes.ts';

const SIGUSR1_BIT = 1n << 9n;
const NODE_START = '_ZN4node5StartEiPPc';
const IDLE = 'setInterval(() => {}, 1000)';
const hasIpv6 = Object.values(networkInterfaces()).some((list) => list?.some((entry) => entry.family === 'IPv6'));

function infoOf(ref: ProcessRef): ProcessInfo {
  return { ...ref, ppid: 0, uid: 0, name: '', exe: null, argv: [], cwd: null };
}

describe.runIf(process.platform === 'linux')('the inspector', () => {
  const { inspector, scanner } = createHost();
  afterEach(endAll);

  it('tells the living from the dead and from a successor', async () => {
    const sleep = start('sleep', ['60']);
    const ref = await running(sleep, 'sleep');
    expect(inspector.isAlive(ref)).toBe(true);
    expect(inspector.isAlive({ ...ref, startTime: '1' })).toBe(false);
    await end(sleep);
    expect(inspector.isAlive(ref)).toBe(false);
  });

  it('answers with nothing once the process is gone or another one', async () => {
    const node = start(process.execPath, ['-e', `require("net").createServer().listen(0, "127.0.0.1");${IDLE}`]);
    const ref = await running(node, 'node');
    const [listener] = await until('a listener', () => {
      const found = inspector.listeners(ref);
      return found.length > 0 && found;
    });
    const port = listener?.port ?? 0;
    const successor = { ...ref, startTime: '1' };
    const questions = (asked: ProcessRef) => {
      expect(inspector.details(asked)).toBeNull();
      expect(inspector.listeners(asked)).toEqual([]);
      expect(inspector.isPortTaken(asked, port)).toBe(false);
      expect(inspector.exeHasSymbol(infoOf(asked), NODE_START)).toBe(false);
      expect(inspector.resolvePath(asked, '/a')).toBe('/a');
    };
    questions(successor);
    await end(node);
    questions(ref);
  });

  it('counts the files that it may still open', async () => {
    const sleep = start('sh', ['-c', 'ulimit -n 60; exec sleep 60']);
    const ref = await running(sleep, 'sleep');
    const free = inspector.details(ref)?.freeDescriptors ?? 0;
    expect(free).toBe(60 - readdirSync(`/proc/${ref.pid}/fd`).length);
    expect(inspector.details(await running(start('sleep', ['60']), 'sleep'))?.freeDescriptors).toBeGreaterThan(free);
  });

  it('sees the modules, threads and signal handlers of node', async () => {
    const node = start(process.execPath, ['-e', IDLE]);
    const ref = await running(node, 'node');
    const details = await until('the handler of SIGUSR1', () => {
      const found = inspector.details(ref);
      return found !== null && (found.caughtSignals & SIGUSR1_BIT) !== 0n && found;
    });
    expect(details.modules).toContain(process.execPath);
    expect(details.modules.every((path) => path.startsWith('/'))).toBe(true);
    expect(new Set(details.modules).size).toBe(details.modules.length);
    // Old versions of Node give all of them one name.
    expect(details.threads.length).toBeGreaterThan(1);
    expect(details.namespacePid).toBe(node.pid);
    expect(inspector.network(ref).id).toBeNull();
    expect(details.stopped).toBe(false);
  });

  it('sees a stopped process', async () => {
    const sleep = await running(start('sleep', ['60']), 'sleep');
    process.kill(sleep.pid, 'SIGSTOP');
    await until('the stop', () => inspector.details(sleep)?.stopped);
  });

  it('sees that sleep handles no signal', async () => {
    const details = inspector.details(await running(start('sleep', ['60']), 'sleep'));
    expect(details?.caughtSignals).toBe(0n);
    expect(details?.threads).toEqual(['sleep']);
  });

  it('sees an ignored signal', async () => {
    const shell = start('/bin/sh', ['-c', 'trap "" USR1; exec sleep 60']);
    const details = inspector.details(await running(shell, 'sleep'));
    expect((details?.ignoredSignals ?? 0n) & SIGUSR1_BIT).toBe(SIGUSR1_BIT);
    expect((details?.caughtSignals ?? 0n) & SIGUSR1_BIT).toBe(0n);
  });

  it.runIf(process.allowedNodeEnvironmentFlags.has('--disable-sigusr1'))(
    'sees that node without its debugger signal does not handle it',
    async () => {
      const node = start(process.execPath, ['--disable-sigusr1', '-e', `console.log("up");${IDLE}`]);
      await new Promise((resolve) => node.child.stdout?.once('data', resolve));
      const details = inspector.details(await running(node, 'node'));
      expect((details?.caughtSignals ?? SIGUSR1_BIT) & SIGUSR1_BIT).toBe(0n);
    },
  );

  it('lists the sockets of the very process that listens, and taken ports', async () => {
    const hosts = hasIpv6 ? ['127.0.0.1', '0.0.0.0', '::1'] : ['127.0.0.1', '0.0.0.0'];
    const script = `for (const host of ${JSON.stringify(hosts)}) require("net").createServer().listen(0, host)`;
    const node = start(process.execPath, ['-e', script]);
    const sleep = await running(start('sleep', ['60']), 'sleep');
    const ref = await running(node, 'node');
    const listeners = await until('all listeners', () => {
      const found = inspector.listeners(ref);
      return found.length === hosts.length && found;
    });
    expect(listeners.map((listener) => listener.address).sort()).toEqual([...hosts].sort());
    expect(inspector.listeners(sleep)).toEqual([]);
    for (const { port } of listeners) expect(inspector.isPortTaken(sleep, port)).toBe(true);
  });

  it('knows a free port', async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        const address = server.address();
        resolve(address !== null && typeof address === 'object' ? address.port : 0);
      });
    });
    const sleep = await running(start('sleep', ['60']), 'sleep');
    expect(inspector.isPortTaken(sleep, port)).toBe(true);
    await new Promise((resolve) => server.close(resolve));
    expect(inspector.isPortTaken(sleep, port)).toBe(false);
  });

  it('knows who else is connected to a port', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const ours = connect(port, '127.0.0.1');
    await new Promise((resolve) => ours.once('connect', resolve));
    const sleep = await running(start('sleep', ['60']), 'sleep');
    expect(inspector.portClients(sleep, port)).toEqual([]);
    const client = start(process.execPath, ['-e', `require('net').connect(${port}, '127.0.0.1');${IDLE}`]);
    await until('the connection', () => inspector.portClients(sleep, port).length > 0);
    expect(inspector.portClients(sleep, port)).toEqual([{ uid: process.geteuid?.(), pid: client.pid }]);
    ours.destroy();
    await end(client);
    server.close();
  });

  it('finds a symbol of node in node and not in sleep', async () => {
    const node = infoOf(await running(start(process.execPath, ['-e', IDLE]), 'node'));
    const sleep = infoOf(await running(start('sleep', ['60']), 'sleep'));
    for (const _again of [1, 2]) {
      expect(inspector.exeHasSymbol(node, NODE_START)).toBe(true);
      expect(inspector.exeHasSymbol(node, NODE_START.slice(1))).toBe(false);
      expect(inspector.exeHasSymbol(node, NODE_START.slice(0, -1))).toBe(false);
      expect(inspector.exeHasSymbol(sleep, NODE_START)).toBe(false);
    }
    // Imported from the C library.
    expect(inspector.exeHasSymbol(sleep, '__libc_start_main')).toBe(true);
  });

  it('reads the environment and the mounts of a process, and knows whose files it makes', async () => {
    const sleep = await running(start('sleep', ['60'], { env: { ...process.env, DRINK: 'tea' } }), 'sleep');
    // The kernel names the program a moment before it has copied the environment.
    const environ = await until('its environment', () => inspector.kernelFile(sleep, 'environ'));
    expect(environ.split('\0')).toContain('DRINK=tea');
    expect(inspector.kernelFile(sleep, 'mountinfo')).toMatch(/^\d+ \d+ .* - /m);
    expect(inspector.kernelFile({ ...sleep, startTime: '1' }, 'environ')).toBeNull();
    expect(inspector.details(sleep)).toMatchObject({
      effectiveUid: process.geteuid?.(),
      effectiveGid: process.getegid?.(),
    });
  });

  it('knows the unix sockets on which a process listens', async () => {
    const socket = `/tmp/substrate-test-${process.pid}.sock`;
    const node = start(process.execPath, [
      '-e',
      `require("net").createServer().listen(${JSON.stringify(socket)});${IDLE}`,
    ]);
    const ref = await running(node, 'node');
    await until('the socket', () => inspector.unixListeners(ref).includes(socket));
    expect(inspector.unixListeners({ ...ref, startTime: '1' })).toEqual([]);
    const sleep = await running(start('sleep', ['60']), 'sleep');
    expect(inspector.unixListeners(sleep)).toEqual([]);
    await end(node);
    rmSync(socket, { force: true });
  });

  it('leaves a path of our own file system as it is', async () => {
    const sleep = await running(start('sleep', ['60']), 'sleep');
    expect(inspector.resolvePath(sleep, '/etc/hosts')).toBe('/etc/hosts');
  });

  it.runIf(canUnshare())('reaches into another mount namespace', async () => {
    const sleep = await running(start('unshare', ['-rm', 'sleep', '60']), 'sleep');
    expect(inspector.resolvePath(sleep, '/a/../../b')).toBe(`/proc/${sleep.pid}/root/b`);
    expect(inspector.resolvePath(sleep, 'relative')).toBe('relative');
  });

  it.runIf(canUnshare())('knows the pid inside another pid namespace', async () => {
    const unshare = start('unshare', ['-rpf', '--kill-child', 'sleep', '60']);
    const inner = await until('the inner process', async () =>
      (await scanner.scan()).appeared.find((info) => info.ppid === unshare.pid && info.name === 'sleep'),
    );
    expect(inspector.details(inner)?.namespacePid).toBe(1);
  });
});
