/** The possible damage by another user of this machine to a daemon of root, and through it to others: none. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHost } from '../../src/host/host.ts';
import type { Attachment } from '../../src/model/wire.ts';
import { DiagnosticsPort } from '../../src/probes/drivers/clr/coreclr/diagnostics-ipc.ts';
import { freePort } from '../support/chromium.ts';
import { makeHome, makeKey, RunningDaemon, run, stopAll } from '../support/daemon.ts';
import { readableBy, removeCopies, startProgram } from '../support/programs.ts';
import { endAll, until } from '../support/real-processes.ts';
import { startTarget, type Target } from '../support/targets.ts';

const ATTACKER = 65534;
const OTHERS = { SUBSTRATE_SCANNER__OTHER_USERS: 'true' };
const { inspector } = createHost();

describe.runIf(process.getuid?.() === 0)('another user of the machine', () => {
  let scripts: string;
  /** The attacker's own folder. */
  let den: string;
  /** Only root has access. */
  let vault: string;

  beforeEach(() => {
    scripts = readableBy(ATTACKER, path.resolve(import.meta.dirname, '../targets/attacks'));
    den = fs.mkdtempSync('/tmp/substrate-attack-');
    fs.chownSync(den, ATTACKER, ATTACKER);
    vault = fs.mkdtempSync('/tmp/substrate-vault-');
  });
  afterEach(async () => {
    await endAll();
    await stopAll();
    for (const folder of [den, vault]) fs.rmSync(folder, { recursive: true, force: true });
  });
  afterAll(removeCopies);

  const attack = (script: string, ...args: string[]): Promise<Target> =>
    startProgram(process.execPath, [path.join(scripts, script), ...args], {
      uid: ATTACKER,
      cwd: den,
      env: { TMPDIR: den, HOME: den },
      ready: /^ready/m,
    });

  /** It has survived, and works. */
  async function expectUnharmed(daemon: RunningDaemon): Promise<void> {
    const honest = await startTarget('shop.cjs');
    expect((await daemon.state(honest.pid)).pid).toBe(honest.pid);
    expect(daemon.child.exitCode).toBeNull();
    expect(daemon.stderr()).not.toContain('nobody caught');
  }

  it('has no file of root removed by swapping the folder of the agent', async () => {
    fs.chmodSync(vault, 0o755);
    const names = ['agent.sock', 'passwd', 'shadow'];
    for (const name of names) fs.writeFileSync(path.join(vault, name), 'secret');
    fs.mkdirSync(path.join(vault, 'below'), { mode: 0o700 });
    const attacker = await attack('swap-folder.cjs', vault, den);
    const daemon = await RunningDaemon.start(makeHome(), { env: OTHERS });
    await until('the swap', () => attacker.output().includes('swapped'));
    // It removes files synchronously: when it answers, they are gone.
    expect((await daemon.get('/health')).status).toBe(200);
    expect(fs.readdirSync(vault).sort()).toEqual(['agent.sock', 'below', 'passwd', 'shadow']);
    await expectUnharmed(daemon);
  });

  it('has nothing said to the runtime of another user by a link in the place of its socket', async () => {
    let heard = '';
    const victim = net.createServer((socket) => socket.on('data', (chunk) => (heard += chunk.toString('latin1'))));
    const socket = path.join(vault, 'victim');
    await new Promise<void>((resolve) => victim.listen(socket, resolve));
    try {
      const { info } = await attack('fake-dotnet.cjs', socket, den);
      const details = inspector.details(info);
      const port = details && DiagnosticsPort.find(info, details, inspector, new AbortController().signal);
      if (!port) throw new Error('the attacker has no socket');
      expect(await port.processInfo()).toEqual({ version: '8.0.0' });
      await expect(port.applyStartupHook(path.join(den, 'evil.dll'))).rejects.toThrow();
      port.close();
      expect(heard).toBe('');
    } finally {
      victim.close();
    }
  });

  it('makes no keys and no settings for root', async () => {
    const home = makeHome();
    await makeKey(home);
    const keys = path.join(home, '.local/share/substrate/keys.json');
    fs.chownSync(keys, ATTACKER, ATTACKER);
    const refused = await run(home, ['serve'], { SUBSTRATE_SERVER__PORT: '0' });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/belongs to another user \(uid 65534/) });
    fs.chownSync(keys, 0, 0);
    const config = path.join(den, 'config.toml');
    fs.writeFileSync(config, '[auth]\nrequire_key = false\n');
    const again = await run(home, ['serve', '--config', config], { SUBSTRATE_SERVER__PORT: '0' });
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining(`chown 0 ${den}`) });
  });

  it('does not stop the daemon by what its debugging port says', async () => {
    const daemon = await RunningDaemon.start(makeHome(), { env: OTHERS });
    const attacker = await attack('fake-browser.cjs', `--remote-debugging-port=${await freePort()}`);
    await until('the attach', () => attacker.output().includes('attached'));
    await expectUnharmed(daemon);
  });

  it('does not hold the daemon up by a FIFO in the place of a file', async () => {
    for (const name of ['package.json', 'DevToolsActivePort']) execFileSync('mkfifo', [path.join(den, name)]);
    const daemon = await RunningDaemon.start(makeHome(), { env: OTHERS });
    const attacker = await attack('swap-folder.cjs', vault, den);
    await until('it to be listed', () => daemon.app(attacker.pid));
    await expectUnharmed(daemon);
  });

  it('has nothing believed of a process by a forged line in the table of unix sockets', async () => {
    const listen = "net.createServer().listen(0, '127.0.0.1', () => net.createServer().listen(process.argv[1], say))";
    const script = `const net = require('net'); const say = () => console.log('ready'); ${listen}`;
    const own = path.join(vault, 'own');
    const { info } = await startProgram(process.execPath, ['-e', script, own], { ready: /ready/ });
    expect(inspector.unixListeners(info)).toEqual([own]);
    const numbers = fs.readdirSync(`/proc/${info.pid}/fd`).flatMap((fd) => {
      return /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${info.pid}/fd/${fd}`))?.[1] ?? [];
    });
    expect(numbers.length).toBeGreaterThanOrEqual(2);
    for (const number of numbers) {
      await attack('forged-line.cjs', number);
      expect(inspector.unixListeners(info).filter((file) => file !== own)).toEqual([]);
    }
    expect(fs.readFileSync('/proc/net/unix', 'utf8')).toContain(' /forged');
  });

  it('finds no inspector of root open, unless root has asked for it, and is named then', async () => {
    const thief = await attack('inspector-thief.cjs');
    const target = await startTarget('shop.cjs');
    const daemon = await RunningDaemon.start(makeHome(), { env: { SUBSTRATE_SCANNER__ROOT_INSPECTORS: 'false' } });
    const left = await until('it to be listed', async () => {
      const { body } = await daemon.get<{ apps: Attachment[] }>('/substrate/v1/attach');
      return body.apps.find(({ pid }) => pid === target.pid);
    });
    expect(left).toMatchObject({ by_itself: false, reason: expect.stringContaining('root_inspectors') });
    expect(target.output()).not.toContain('Debugger');
    expect((await daemon.get(`/substrate/v1/state/${target.pid}`)).status).toBe(200);
    await until('the thief to be seen', () => thief.output().includes('connected'));
    const [line = ''] = daemon
      .stderr()
      .split('\n')
      .filter((text) => text.includes('connected to the inspector'));
    expect(line).toContain(`"client_uid":${ATTACKER},"client_pid":${thief.pid}`);
  });
});

function linkOf(file: string): string {
  try {
    return fs.readlinkSync(file);
  } catch {
    return '';
  }
}
