/** `substrate doctor` on a machine with programs of every kind. */
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Check } from '../../src/cli/doctor/check.ts';
import type { ProcessReport } from '../../src/cli/doctor/processes.ts';
import { type Chromium, startChromium } from '../support/chromium.ts';
import { BINARY, makeHome, RunningDaemon, run, stopAll } from '../support/daemon.ts';
import { DOTNET, startDotnet } from '../support/dotnet.ts';
import { SHOP, startJava } from '../support/java.ts';
import { readableBy, removeCopies, startProgram } from '../support/programs.ts';
import { endAll, until } from '../support/real-processes.ts';
import { hasRuntime, runtime } from '../support/runtimes.ts';
import { startTarget, type Target } from '../support/targets.ts';

interface Report {
  readonly installation: Check[];
  readonly processes: ProcessReport[];
}

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const NO_DIAGNOSTICS = DOTNET === 'net9' ? 'DOTNET_EnableDiagnostics' : 'COMPlus_EnableDiagnostics';
const PYTHON = '/usr/bin/python3';
const children: ChildProcess[] = [];

async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The leftovers that an attach to this process would cause. */
function traces({ pid }: { readonly pid: number }): string[] {
  const ours = new RegExp(`(?:^|\\D)${pid}(?:\\D|$)`);
  return ['/tmp', '/dev/shm'].flatMap((folder) =>
    fs.readdirSync(folder).filter((name) => /attach|java_pid|substrate/.test(name) && ours.test(name)),
  );
}

describe('the doctor', () => {
  let home: string;
  let env: Record<string, string>;
  let node: Target;
  let java: Target;
  let shut: Target;
  let mono: Target;
  let dotnet: Target;
  let quiet: Target;
  /** Null if there is none for this CPU. */
  let aot: Target | null;
  let python: Target | null;
  let silent: Chromium;
  let open: Chromium;
  /** The report before any daemon ran. */
  let before: Report;

  beforeAll(async () => {
    home = makeHome();
    env = { SUBSTRATE_SERVER__PORT: String(await freePort()) };
    const python3 = fs.existsSync(PYTHON)
      ? startProgram(PYTHON, ['-uc', 'print("ready"); input()', 'some-script'], {})
      : Promise.resolve(null);
    [node, java, shut, mono, dotnet, quiet, aot, python, silent, open] = await Promise.all([
      startTarget('own-signal.cjs'),
      startJava(SHOP),
      startJava(SHOP, { options: ['-XX:+DisableAttachMechanism'] }),
      startDotnet('mono', 'shop'),
      startDotnet('net31', 'shop'),
      startDotnet(DOTNET, 'shop', { env: { [NO_DIAGNOSTICS]: '0' } }),
      hasRuntime('aot') ? startProgram(runtime('aot'), ['mcp', 'start'], { ready: /^/ }) : null,
      python3,
      startChromium({ port: 'none' }),
      startChromium(),
    ]);
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await Promise.all([silent?.close(), open?.close()]);
    await stopAll();
    await endAll();
    removeCopies();
  });

  const ask = (...args: string[]) => run(home, ['doctor', ...args], env);
  async function report(): Promise<Report> {
    return JSON.parse((await ask('--json')).stdout) as Report;
  }

  it('says of each program whether it can be attached to, how, and what is in the way; and harms none', async () => {
    const of = await until('all to be seen', async () => {
      before = await report();
      const known = new Map(before.processes.map((found) => [found.pid, found]));
      const all = [node, java, shut, mono, dotnet, quiet, ...(aot ? [aot] : []), silent, open];
      const isStarting = [...known.values()].some(({ blocker }) => /still starting/.test(blocker ?? ''));
      return all.every(({ pid }) => known.has(pid)) && !isStarting && known;
    });
    const good = { status: 'attachable', blocker: null, remedy: null };
    expect(of.get(node.pid)).toMatchObject({
      ...good,
      kind: 'Node.js',
      way: 'SIGUSR1 opens the inspector for a moment',
    });
    expect(of.get(java.pid)).toMatchObject({
      ...good,
      runtime: 'jvm',
      way: expect.stringMatching(/^attach socket of HotSpot/),
    });
    expect(of.get(mono.pid)).toMatchObject({ ...good, way: "Mono's attach, opened by SIGQUIT" });
    expect(of.get(dotnet.pid)).toMatchObject({ ...good, way: 'diagnostics socket, profiler for a moment' });
    expect(of.get(open.pid)).toMatchObject({ ...good, way: `debugging port ${open.debugPort}` });
    expect(of.get(open.pid)?.helpers).toBeGreaterThan(1);

    expect(of.get(shut.pid)).toMatchObject({
      status: 'blocked',
      blocker: 'The JVM was started with -XX:+DisableAttachMechanism, so nothing can be attached to it.',
      remedy: 'Start it without that option.',
    });
    expect(of.get(silent.pid)).toMatchObject({
      status: 'blocked',
      blocker: expect.stringMatching(/^This Chromium runs without a debugging port/),
      remedy: expect.stringMatching(/--remote-debugging-port=0.*substrate run -- \/\S*chromium$/),
    });
    expect(of.get(quiet.pid)).toMatchObject({
      blocker: expect.stringContaining(`${NO_DIAGNOSTICS}=0`),
      remedy: expect.stringMatching(/substrate run/),
    });
    if (aot)
      expect(of.get(aot.pid)).toMatchObject({
        blocker: expect.stringMatching(/native AOT/),
        remedy: 'Publish it without PublishAot.',
      });
    if (python) expect(of.get(python.pid)).toMatchObject({ status: 'no_probe', kind: 'Python', runtime: null });
    // Neither renderers nor shells nor the doctor itself.
    expect([...of.values()].some(({ name }) => /^(?:bash|sh|doctor|substrate)$/.test(name))).toBe(false);

    for (const target of [node, java, shut, mono, dotnet, quiet, ...(aot ? [aot] : [])]) {
      expect(target.exitCode()).toBeNull();
      expect(target.output()).not.toMatch(/signal 1|thread dump|attach/i);
      expect(traces(target)).toEqual([]);
    }
    expect(silent.isAlive() && open.isAlive()).toBe(true);
  });

  it('shows it to people, and one program in sentences', async () => {
    const [{ stdout, code }, one, good, unknown, init] = await Promise.all([
      ask(),
      ask(String(shut.pid)),
      ask(String(node.pid)),
      ask('no-such-app'),
      ask('1'),
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Installation$/m);
    expect(stdout).toMatch(/^ {2}! No daemon runs at http:\/\/127\.0\.0\.1:\d+\.\n {6}→ substrate up$/m);
    expect(stdout).toMatch(/^Cannot be attached to$/m);
    expect(stdout).toMatch(/^Programs: .* Installation: no problem, \d+ warnings?\.$/m);
    expect(one.code).toBe(1);
    expect(one.stdout).toMatch(
      /is OpenJDK 17\S* and runs as user \d+\.\nIt cannot be attached to\. The JVM was started/,
    );
    expect(one.stdout).toContain('What helps: Start it without that option.');
    expect(good.code).toBe(0);
    expect(unknown).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringContaining('No app is called no-such-app.\n'),
    });
    expect(init.stderr).toMatch(/is not an app/);
  });

  it('leaves no trace of its own where there is no daemon', () => {
    expect(fs.existsSync(path.join(home, '.local'))).toBe(false);
  });

  it('ends with 1 when the installation has a problem, and says who has the port', async () => {
    const server = net.createServer().listen(Number(env.SUBSTRATE_SERVER__PORT), '127.0.0.1');
    await until('the port', () => server.listening);
    try {
      const [{ code, stdout }, broken] = await Promise.all([
        ask('--json'),
        run(home, ['doctor'], { ...env, SUBSTRATE_SERVER__HOTS: 'x' }),
      ]);
      expect(broken).toMatchObject({ code: 1, stdout: expect.stringContaining('SUBSTRATE_SERVER__HOTS') });
      expect(code).toBe(1);
      const { installation } = JSON.parse(stdout) as Report;
      expect(installation.find(({ id }) => id === 'daemon')).toMatchObject({
        status: 'problem',
        message: expect.stringContaining(`(pid ${process.pid})`),
      });
    } finally {
      server.close();
    }
  });

  it.runIf(isRoot)('knows programs of other users by their command line', async () => {
    const dist = readableBy(NOBODY, path.dirname(BINARY));
    const child = spawn(process.execPath, [path.join(dist, path.basename(BINARY)), 'doctor', '--json'], {
      ...{ uid: NOBODY, gid: NOBODY, cwd: '/', stdio: ['ignore', 'pipe', 'ignore'] },
      env: { PATH: process.env.PATH, HOME: '/nonexistent', TMPDIR: os.tmpdir(), ...env },
    });
    children.push(child);
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += chunk;
    });
    await new Promise((resolve) => child.once('close', resolve));
    const { processes, installation } = JSON.parse(text) as Report;
    expect(processes.find(({ pid }) => pid === java.pid)).toMatchObject({
      kind: 'looks like Java',
      status: 'blocked',
      blocker: 'It belongs to another user (0), whose programs this one may not look into.',
      remedy: 'Run substrate as that user, or as root.',
    });
    expect(installation.find(({ id }) => id === 'user')?.message).toContain(`user ${NOBODY}`);
  });

  it('takes the word of a daemon, and of its configuration; and had told before what came of it', async () => {
    const exclude = { SUBSTRATE_SCANNER__EXCLUDE: String(mono.pid) };
    const daemon = await RunningDaemon.start(home, { env: { ...env, ...exclude } });
    await daemon.state(java.pid);
    await until('the refusal', async () => (await daemon.app(shut.pid))?.probe_status === 'error');
    const { stdout, code } = await run(home, ['doctor', '--json'], { ...env, ...exclude });
    const { installation, processes } = JSON.parse(stdout) as Report;
    expect(code).toBe(0);
    for (const id of ['daemon', 'version', 'access', 'keys'])
      expect(installation.find((check) => check.id === id)).toMatchObject({ status: 'ok' });
    const of = (pid: number) => processes.find((found) => found.pid === pid);
    expect(of(java.pid)).toMatchObject({ status: 'attached', blocker: null, daemon: { probe_status: 'active' } });
    expect(of(shut.pid)).toMatchObject({
      status: 'blocked',
      daemon: { problem: expect.stringMatching(/DisableAttachMechanism/) },
    });
    expect(of(mono.pid)).toMatchObject({ status: 'blocked', blocker: 'It is excluded by your configuration.' });
    const outsider = await run(home, ['doctor', String(java.pid), '--key', 'unknown-key-0123456789'], env);
    expect(outsider.stderr).toContain(`The daemon at ${daemon.base} did not say what it knows: `);

    // Except for the one that uses the signal for itself, which is not visible.
    for (const { pid } of [java, shut, dotnet, quiet, ...(aot ? [aot] : []), silent, open]) {
      const told = before.processes.find((found) => found.pid === pid);
      const isAttachable = told?.status === 'attachable';
      const tried = await until(`a try of ${told?.name}`, async () => {
        const app = await daemon.app(pid);
        return app?.probe_status === 'error' || app?.has_state ? app : null;
      });
      expect([told?.name, tried.has_state]).toEqual([told?.name, isAttachable]);
      if (isAttachable) continue;
      const { body } = await daemon.get<{ error: { message: string } }>(`/substrate/v1/state/${pid}`);
      expect(body.error.message).toContain(told?.blocker);
    }
  });
});
