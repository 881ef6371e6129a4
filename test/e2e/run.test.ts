/** `substrate run`: its programs can be read, and behave as without it. */
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileCSharp } from '../../scripts/csharp-targets.mjs';
import { BINARY, makeHome, RunningDaemon, run, stopAll } from '../support/daemon.ts';
import { commandOf, isHere } from '../support/dotnet.ts';
import { until } from '../support/real-processes.ts';

interface Started {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** The pid of the program, not of `substrate run`. */
  readonly pid: () => Promise<number>;
  readonly ended: Promise<number | null>;
}

const started: ChildProcess[] = [];
const HEADLESS = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run'];

let home: string;

function begin(command: string[], env: Record<string, string> = {}): Started {
  const child = spawn(process.execPath, [BINARY, 'run', '--', ...command], {
    env: { PATH: process.env.PATH, HOME: home, TMPDIR: os.tmpdir(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  started.push(child);
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const pid = () => until('its pid', () => Number(/^substrate: pid (\d+)/m.exec(stderr)?.[1]) || null);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, stdout: () => stdout, stderr: () => stderr, pid, ended };
}

async function endStarted(): Promise<void> {
  for (const child of started) child.kill('SIGTERM');
  await until('all to end', () => started.every(({ exitCode, signalCode }) => exitCode !== null || signalCode));
  await stopAll();
}

describe('run', () => {
  let daemon: RunningDaemon;

  beforeAll(async () => {
    home = makeHome();
    daemon = await RunningDaemon.start(home);
  });
  afterAll(endStarted);

  it('gives a browser a port and a profile, so that it can be read', async () => {
    const browser = begin(['chromium', ...HEADLESS, 'data:text/html,<title>Till</title><h1>Hello</h1>']);
    const pid = await browser.pid();
    const state = await daemon.state(pid);
    expect(state.objects['page.heading'] ?? state.context.window_title).toMatch(/Hello|Till/);
    const profile = path.join(home, '.local/share/substrate/profiles/chromium');
    expect(fs.existsSync(path.join(profile, 'DevToolsActivePort'))).toBe(true);
    expect(browser.stderr()).toContain(`--remote-debugging-port=0 --user-data-dir=${profile}`);
    browser.child.kill('SIGTERM');
    expect(await browser.ended).toBe(0);
  });

  const programs: [string, 'net31' | 'net9', Record<string, string>][] = [
    ['.NET Core 3.1', 'net31', {}],
    ['.NET Core 3.1 without diagnostics', 'net31', { COMPlus_EnableDiagnostics: '0' }],
    ['.NET 9 without diagnostics', 'net9', { DOTNET_EnableDiagnostics: '0' }],
  ];
  it.each(programs.filter(([, clr]) => isHere(clr)))(
    'has the agent in %s from the start; it waits for one daemon after the other',
    async (_, clr, env) => {
      const program = begin([commandOf(clr), `${compileCSharp('shop')}.dll`], {
        DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1',
        ...env,
      });
      const pid = await program.pid();
      expect(Object.keys((await daemon.state(pid)).objects).length).toBeGreaterThan(3);
      const place = () => fs.readdirSync('/dev/shm').filter((name) => name.includes(`-${pid}-`));
      expect(place()).toHaveLength(1);
      if (env.DOTNET_EnableDiagnostics === '0') {
        await daemon.stop();
        daemon = await RunningDaemon.start(home);
        expect(Object.keys((await daemon.state(pid)).objects).length).toBeGreaterThan(3);
      }
      expect(program.stderr()).toContain('with a startup hook');
      process.kill(pid, 'SIGTERM');
      await program.ended;
      await until('its folder to go', () => place().length === 0);
    },
  );

  it('ends with what daemonises, which goes on and can be read', async () => {
    const file = path.join(home, 'pid');
    const launcher = `"$0" "$@" >/dev/null 2>&1 & echo $! > '${file}'; exit 3`;
    const program = begin([
      'sh',
      '-c',
      launcher,
      process.execPath,
      '-e',
      'const till = { euros: 7 }; setInterval(() => till.euros, 1000)',
    ]);
    expect(await program.ended).toBe(3);
    expect(program.stderr()).toMatch(
      /^substrate: pid \d+: nothing was added\. What can be seen of it: substrate doctor/,
    );
    const pid = Number(fs.readFileSync(file, 'utf8'));
    try {
      expect((await daemon.state(pid)).objects).toMatchObject({ 'till.euros': 7 });
    } finally {
      process.kill(pid, 'SIGKILL');
    }
  });

  it('ends as a shell does when there is no such command', async () => {
    const script = path.join(home, 'script');
    fs.writeFileSync(script, '#!/no/such/interpreter\n', { mode: 0o755 });
    const [unknown, ...others] = await Promise.all([
      run(home, ['run', '--', 'no-such-command', '--x']),
      run(home, ['run', '--', '/etc/passwd']),
      run(home, ['run', '--', script]),
      run(home, ['run']),
    ]);
    expect(unknown).toEqual({
      code: 127,
      stdout: '',
      stderr: 'substrate: There is no command "no-such-command".\n',
    });
    expect(others.map(({ code }) => code)).toEqual([126, 126, 2]);
  });
});

/** Its signals and lines would be visible, too. */
describe('run, where no daemon attaches to what it starts', () => {
  beforeAll(() => {
    home = makeHome();
  });
  afterAll(endStarted);

  it('changes nothing about other programs: arguments, output, input, code', async () => {
    const script =
      'process.stdin.on("data", (d) => { console.log(process.argv.slice(1).join("|"), String(d)); process.exit(7); })';
    const node = begin([process.execPath, '-e', script, '--', '--quiet', '-q', '--', 'a b', '']);
    node.child.stdin?.end('input');
    expect(await node.ended).toBe(7);
    expect(node.stdout()).toBe('--quiet|-q|--|a b| input\n');
    expect(node.stderr()).toMatch(
      /^substrate: pid \d+: Node\.js needs nothing\. Look at it with: substrate state \d+\n$/,
    );
    const silent = await run(home, ['run', '-q', '--', process.execPath, '-e', 'console.error("own")']);
    expect(silent).toEqual({ code: 0, stdout: '', stderr: 'own\n' });
  });

  it.concurrent.each(['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const)(
    'passes %s on, and the end by a signal',
    async (signal) => {
      const script = `process.once("${signal}", () => { console.log("got it"); process.kill(process.pid, "${signal}"); }); setInterval(() => {}, 1000); console.log("ready")`;
      const node = begin([process.execPath, '-e', script]);
      await until('it to run', () => node.stdout().includes('ready'));
      node.child.kill(signal);
      expect(await node.ended).toBe(128 + os.constants.signals[signal]);
      expect(node.stdout()).toBe('ready\ngot it\n');
    },
  );
});
