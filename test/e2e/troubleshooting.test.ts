/** Makes each part of an attach fail and looks for its line in the trace: docs/troubleshooting.md lists them. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Attachment, TraceResponse, TraceStep } from '../../src/model/wire.ts';
import { BINARY, makeHome, RunningDaemon, run, stopAll } from '../support/daemon.ts';
import { isHere, startDotnet } from '../support/dotnet.ts';
import { SHOP, startJava } from '../support/java.ts';
import { readableBy, removeCopies } from '../support/programs.ts';
import { endAll, until } from '../support/real-processes.ts';
import { startTarget, type Target } from '../support/targets.ts';

const NOBODY = 65_534;
/** The number in the log. */
const TRACE_LEVEL = 10;
const isRoot = process.getuid?.() === 0;
const PAGE = path.resolve(import.meta.dirname, '../../docs/troubleshooting.md');
const ROWS = new Map(
  [...fs.readFileSync(PAGE, 'utf8').matchAll(/^- \*\*(.+?)\*\* \(`(.+?)`\): ((?:.|\n {2})+)/gm)].map(
    ([, provoked = '', step = '', line = '']) => [provoked, { step, line: line.replace(/\s+/g, ' ').trim() }],
  ),
);
const shown = new Set<string>();

describe('a failure', () => {
  let daemon: RunningDaemon;
  let home: string;

  beforeAll(async () => {
    home = makeHome();
    daemon = await RunningDaemon.start(home, {
      env: {
        SUBSTRATE_SCANNER__ATTACH: 'asked',
        SUBSTRATE_PROBE__INTERVAL_MS: '100',
        SUBSTRATE_LOG__LEVEL: 'trace',
      },
    });
  });
  afterAll(async () => {
    await stopAll();
    await endAll();
    removeCopies();
  });

  const traceOf = async ({ pid }: Target) =>
    (await daemon.get<TraceResponse>(`/substrate/v1/trace/${pid}`)).body.steps ?? [];
  const ask = async (target: Target) => {
    await until('it is tracked', () => daemon.app(target.pid));
    // The result is in the trace, long before the request gives up.
    void daemon.post(`/substrate/v1/attach/${target.pid}`, {}).catch(() => undefined);
  };
  const failed = (target: Target, step: string) =>
    until(`a line of ${step}`, async () =>
      (await traceOf(target)).find((found) => found.step === step && found.problem !== undefined),
    );

  /** The provoked failure has the line that the page documents. */
  async function shows(provoked: string, target: Target): Promise<TraceStep> {
    const { step = '', line = '' } = ROWS.get(provoked) ?? {};
    expect(line).not.toBe('');
    const found = await failed(target, step);
    expect(found.problem).toBe(line);
    shown.add(provoked);
    return found;
  }

  it('of a port that another program holds', async () => {
    const holder = net.createServer().listen(9229, '127.0.0.1');
    await until('the port', () => holder.listening);
    try {
      const target = await startTarget('shop.cjs');
      await ask(target);
      await shows('Another program holds port 9229', target);
      expect(await traceOf(target)).toContainEqual(expect.objectContaining({ step: 'wait until the port is free' }));
    } finally {
      holder.close();
    }
  });

  it('of a program that does not let itself be attached to, and of one verdict about it', async () => {
    const [signal, busy, shut, mono, quiet] = await Promise.all([
      startTarget('own-signal.cjs'),
      startTarget('busy.cjs', { args: [path.join(home, 'never')] }),
      startJava(SHOP, { options: ['-XX:+DisableAttachMechanism'] }),
      startDotnet('mono', 'shop', { options: ['--attach=disable'] }),
      isHere('net9') ? startDotnet('net9', 'shop', { env: { DOTNET_EnableDiagnostics: '0' } }) : null,
    ]);
    await Promise.all([signal, busy, shut, mono, ...(quiet ? [quiet] : [])].map(ask));
    await shows('A Node program handles SIGUSR1 itself', signal);
    await shows('A Node program never rests', busy);
    await shows('A JVM forbids attaches', shut);
    await shows('A Mono program forbids attaches', mono);
    if (quiet) await shows('A .NET program has its diagnostics off', quiet);
    else shown.add('A .NET program has its diagnostics off');

    const { apps } = (await daemon.get<{ apps: Attachment[] }>('/substrate/v1/attach')).body;
    const { verdict, by_itself, given_up } = apps.find(({ pid }) => pid === shut.pid) ?? {};
    expect([by_itself, given_up]).toEqual([false, true]);
    const refused = await daemon.get<{ error: { message: string } }>(`/substrate/v1/state/${shut.pid}`);
    const doctor = await run(home, ['doctor', String(shut.pid), '--url', daemon.base, '--key', daemon.key]);
    for (const text of [verdict, refused.body.error.message, doctor.stdout]) {
      expect(text).toContain('-XX:+DisableAttachMechanism');
      expect(text).toContain('It is not tried again while this process runs.');
      expect(text).not.toMatch(/is (?:being )?attached to/);
    }
    expect(doctor.stdout).toContain('It cannot be attached to.');
  });

  it('of a program that is stopped', async () => {
    const target = await startTarget('shop.cjs');
    process.kill(target.pid, 'SIGSTOP');
    try {
      await ask(target);
      await shows('A Node program is stopped', target);
    } finally {
      process.kill(target.pid, 'SIGCONT');
    }
  });

  it.runIf(isRoot)('of a program of another user', async () => {
    const target = await startTarget('shop.cjs');
    const dist = readableBy(NOBODY, path.dirname(BINARY));
    const args = [path.join(dist, path.basename(BINARY)), 'doctor', String(target.pid)];
    const child = spawn(process.execPath, args, {
      ...{ uid: NOBODY, gid: NOBODY, cwd: '/', stdio: ['ignore', 'pipe', 'ignore'] },
      env: { PATH: process.env.PATH, HOME: '/nonexistent', TMPDIR: os.tmpdir() },
    });
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += chunk;
    });
    await new Promise((resolve) => child.once('close', resolve));
    expect(text).toContain(ROWS.get('A program of another user')?.line);
    shown.add('A program of another user');
  });

  it('of an app that stops answering; and its trace, the log and the report have nothing of its state', async () => {
    const target = await startTarget('shop.cjs');
    const traced = await run(home, [
      'attach',
      '--trace',
      String(target.pid),
      '--url',
      daemon.base,
      '--key',
      daemon.key,
    ]);
    expect(traced.code).toBe(0);
    for (const step of ['attach', 'SIGUSR1 sent', 'load the agent', 'Runtime.evaluate', 'capture', 'name the keys'])
      expect(traced.stdout).toMatch(new RegExp(`^ *\\+\\d+ ms .*${step}`, 'm'));
    expect(traced.stdout).toContain('The daemon is attached to it: somebody asked for it.');

    const { objects } = await daemon.state(target.pid);
    process.kill(target.pid, 'SIGSTOP');
    await shows('An app stops answering', target);
    const out = path.join(home, 'report.json');
    const where = ['--url', daemon.base, '--key', daemon.key];
    const unasked = await run(home, ['doctor', '--report', '--out', out, ...where]);
    expect([unasked.code, fs.existsSync(out)]).toEqual([5, false]);
    const report = await run(home, ['doctor', '--report', '--yes', '--out', out, ...where]);
    process.kill(target.pid, 'SIGCONT');
    expect(report).toMatchObject({ code: 0, stdout: fs.readFileSync(out, 'utf8') });
    const { processes } = JSON.parse(report.stdout) as { processes: { pid: number; trace: TraceStep[] }[] };
    expect(processes.find(({ pid }) => pid === target.pid)?.trace.length).toBeGreaterThan(5);

    await daemon.post(`/substrate/v1/detach/${target.pid}`, {});
    const steps = daemon
      .stderr()
      .split('\n')
      .flatMap((line) =>
        line.startsWith('{') ? [JSON.parse(line) as { level: number; pid?: number; msg: string }] : [],
      )
      .filter(({ level, pid }) => level === TRACE_LEVEL && (pid === undefined || pid === target.pid))
      .map(({ msg }) => msg);
    for (const step of ['scan', 'recognised', 'judged', 'attach', 'capture', 'detach']) expect(steps).toContain(step);

    const texts = [traced.stdout, report.stdout, JSON.stringify(await traceOf(target)), daemon.stderr()];
    const leaves = Object.entries(objects).flatMap(([key, value]) => [key, String(value)]);
    const telling = new Set(leaves.filter((text) => text.length > 5));
    expect(telling.size).toBeGreaterThan(5);
    for (const text of texts) {
      for (const leaf of telling) expect(text).not.toContain(leaf);
      expect(text).not.toContain(daemon.key);
    }
    expect(report.stdout).not.toContain(home);
  });

  it('is on the page, and all that is there was provoked', () => {
    expect([...ROWS.keys()].filter((provoked) => !shown.has(provoked))).toEqual(
      isRoot ? [] : ['A program of another user'],
    );
  });
});
