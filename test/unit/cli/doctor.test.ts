import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkDaemon } from '../../../src/cli/doctor/daemon-checks.ts';
import { checkConfig, checkFiles } from '../../../src/cli/doctor/file-checks.ts';
import { looksLike, otherProgram } from '../../../src/cli/doctor/other-programs.ts';
import { lookAtProcesses } from '../../../src/cli/doctor/processes.ts';
import { checkSystem, type System, thisSystem } from '../../../src/cli/doctor/system-checks.ts';
import { loadConfig } from '../../../src/config.ts';
import { configSchema } from '../../../src/config-schema.ts';
import { createHost } from '../../../src/host/host.ts';
import type { ProcessDetails, ProcessInfo } from '../../../src/model/process.ts';
import { createDrivers, DRIVERS } from '../../../src/probes/registry.ts';
import { startProgram } from '../../support/programs.ts';
import { endAll } from '../../support/real-processes.ts';

const uid = process.getuid?.() ?? 0;
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

function makeHome(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-doctor-'));
  folders.push(folder);
  return folder;
}

const found = (checks: readonly { id: string; status: string }[], id: string) =>
  checks.filter((check) => check.id === id).map(({ status }) => status);

describe('the system', () => {
  const folders = DRIVERS.flatMap((driver) => driver.folders);
  const check = (changes: Partial<System>) => checkSystem({ ...thisSystem(), ...changes }, folders);

  it('is sound where the tests run', () => {
    expect(check({}).filter(({ status }) => status === 'problem')).toEqual([]);
  });

  it('has a Node.js that is new enough, and Linux', () => {
    expect(found(check({ nodeVersion: '18.20.0' }), 'node')).toEqual(['problem']);
    expect(found(check({ platform: 'darwin' }), 'system')).toEqual(['problem']);
  });

  it('may hide processes, and forbid programs in /tmp', () => {
    const proc = (option: string) => `22 1 0:20 / /proc rw,nosuid - proc proc rw,${option}\n`;
    expect(found(check({ uid: 1000, mounts: proc('hidepid=invisible') }), 'proc')).toEqual(['warning']);
    expect(found(check({ uid: 0, mounts: proc('hidepid=2') }), 'proc')).toEqual([]);
    expect(found(check({ uid: 1000, mounts: proc('gid=5') }), 'proc')).toEqual([]);
    const tmp = '30 1 0:25 / /tmp rw,noexec - tmpfs tmpfs rw\n';
    expect(found(check({ mounts: tmp }), 'execution')).toEqual(['warning']);
  });
});

describe('files', () => {
  it('of a broken configuration are named with their problems', () => {
    const file = path.join(makeHome(), 'config.toml');
    fs.writeFileSync(file, '[server]\nport = "many"\nhots = "x"\n');
    let failure: unknown;
    try {
      loadConfig({ configFile: file, env: {}, homeDir: '/' });
    } catch (error) {
      failure = error;
    }
    const checks = checkConfig({ failure });
    expect(checks.length).toBeGreaterThan(1);
    expect(checks.every(({ status, message }) => status === 'problem' && message.includes(file))).toBe(true);
  });

  it('of keys that cannot be parsed are a problem: nothing is revoked by them', () => {
    const loaded = loadConfig({ env: {}, homeDir: makeHome() });
    fs.mkdirSync(loaded.paths.storageDir, { recursive: true, mode: 0o700 });
    fs.writeFileSync(loaded.paths.keysFile, '{"keys": [}', { mode: 0o600 });
    const check = checkFiles(loaded, uid).find(({ id }) => id === 'keys');
    expect(check).toMatchObject({ status: 'problem', message: expect.stringContaining('revoked ones included') });
  });

  it('that let the daemon listen everywhere should name it', () => {
    const namesOf = (env: Record<string, string>) =>
      found(checkConfig({ loaded: loadConfig({ env, homeDir: makeHome() }) }), 'allowed_hosts');
    expect(namesOf({ SUBSTRATE_SERVER__HOST: '0.0.0.0' })).toEqual(['warning']);
    expect(namesOf({ SUBSTRATE_SERVER__HOST: '::', SUBSTRATE_SERVER__ALLOWED_HOSTS: 'myhost,other' })).toEqual([]);
    expect(namesOf({})).toEqual([]);
  });

  it('that others can read or write are a problem', () => {
    const homeDir = makeHome();
    const loaded = loadConfig({ env: {}, homeDir });
    const { storageDir, keysFile } = loaded.paths;
    expect(found(checkFiles(loaded, uid), 'keys')).toEqual(['warning']);
    fs.mkdirSync(storageDir, { recursive: true, mode: 0o700 });
    fs.writeFileSync(keysFile, '{"keys":[]}', { mode: 0o600 });
    fs.chmodSync(keysFile, 0o644);
    expect(found(checkFiles(loaded, uid), 'keys_file')).toEqual(['problem']);
    fs.chmodSync(keysFile, 0o600);
    expect(found(checkFiles(loaded, uid), 'keys_file')).toEqual(['ok']);
    fs.chmodSync(storageDir, 0o777);
    expect(found(checkFiles(loaded, uid), 'data_folder')).toEqual(['problem']);
    expect(found(checkFiles(loaded, uid + 1), 'data_folder')).toEqual(['problem']);
  });
});

describe('the daemon', () => {
  const view = { baseUrl: 'http://127.0.0.1:7842', health: null, problem: null, isForeign: false, apps: new Map() };
  const health = { status: 'ok', version: '1.0.0', uptime_secs: 1, tracked_processes: 0, auth_enabled: true } as const;
  const { inspector } = createHost();
  const around = { version: '1.0.0', port: 7842, processes: [], inspector };

  it('is not who else listens there', () => {
    const foreign = { ...view, problem: 'A process of another user (eve, uid 1001) listens there.', isForeign: true };
    expect(checkDaemon(foreign, around)).toMatchObject([{ id: 'daemon', status: 'problem', message: foreign.problem }]);
  });

  it('of another version, or behind a key, is told of', () => {
    const statuses = checkDaemon({ ...view, health }, around).map(({ status }) => status);
    expect([...new Set(statuses)]).toEqual(['ok']);
    expect(found(checkDaemon({ ...view, health }, { ...around, version: '2.0.0' }), 'version')).toEqual(['warning']);
    expect(found(checkDaemon({ ...view, health, problem: 'No.' }, around), 'access')).toEqual(['problem']);
    expect(checkDaemon(view, around)).toMatchObject([{ id: 'daemon', status: 'warning', remedy: 'substrate up' }]);
  });
});

describe('programs without a probe', () => {
  const info = (exe: string | null, argv: string[]): ProcessInfo => ({
    ...{ pid: 1, startTime: '1', ppid: 0, uid: 1000, name: 'x', cwd: '/' },
    exe,
    argv,
  });
  const details = (...modules: string[]): ProcessDetails => ({
    ...{ modules, threads: [], caughtSignals: 0n, ignoredSignals: 0n, namespacePid: 1 },
    ...{ effectiveUid: 1000, effectiveGid: 1000, stopped: false },
    ...{ residentBytes: 0, freeDescriptors: null },
  });

  it.each<[string, ProcessInfo, string[], ReturnType<typeof otherProgram>]>([
    ['Python', info('/usr/bin/python3.12', ['python3', '-u', '/srv/app.py']), [], { kind: 'Python', name: 'app.py' }],
    [
      'a module of Python',
      info('/usr/bin/python3', ['python3', '-m', 'http.server']),
      [],
      { kind: 'Python', name: 'http.server' },
    ],
    [
      'Firefox',
      info('/usr/lib/firefox/firefox', ['firefox']),
      ['/usr/lib/firefox/libxul.so'],
      { kind: 'Firefox', name: 'firefox' },
    ],
    ['a tab of Firefox', info('/usr/lib/firefox/firefox', ['firefox', '-contentproc']), ['/x/libxul.so'], null],
    ['GTK', info('/usr/bin/gedit', ['gedit']), ['/usr/lib/libgtk-3.so.0'], { kind: 'GTK program', name: 'gedit' }],
    ['Qt', info('/usr/bin/kate', ['kate']), ['/usr/lib/libQt6Widgets.so.6'], { kind: 'Qt program', name: 'kate' }],
    [
      'a window',
      info('/usr/bin/xclock', ['xclock']),
      ['/usr/lib/libX11.so.6'],
      { kind: 'program with a window', name: 'xclock' },
    ],
    ['a screen', info('/usr/bin/Xvfb', ['Xvfb']), ['/usr/lib/libX11.so.6'], null],
    ['a shell', info('/usr/bin/bash', ['bash']), ['/usr/lib/libc.so.6'], null],
  ])('%s', (_, process, modules, expected) => {
    expect(otherProgram(process, details(...modules))).toEqual(expected);
  });

  it('of other users are known by their command line, as far as that goes', () => {
    const commands = DRIVERS.flatMap((driver) => driver.commands);
    expect(looksLike(info(null, ['/usr/bin/java', '-jar', 'a.jar']), commands)).toEqual({
      kind: 'looks like Java',
      name: 'a.jar',
    });
    const named = (...argv: string[]) => looksLike(info(null, argv), commands)?.name;
    expect(named('java', '-cp', '.', 'Main', 'x')).toBe('Main');
    expect(named('node', '-e', 'a(); b()')).toBe('node -e');
    expect(named('deno', 'run', '-A', '/srv/d.ts')).toBe('d.ts');
    expect(named('chromium', 'about:blank')).toBe('chromium');
    expect(looksLike(info(null, ['-bash']), commands)).toBeNull();
    expect(looksLike(info(null, []), commands)).toBeNull();
  });
});

describe('processes', () => {
  const START = "require('child_process').spawn(process.execPath, [__dirname + '/substrate.js'], { stdio: 'inherit' })";
  const LISTEN =
    "const server = require('net').createServer().listen(0, '127.0.0.1', () => console.log(process.pid, server.address().port));";
  afterEach(endAll);

  it('that started the daemon are left alone by it', async () => {
    const folder = makeHome();
    fs.writeFileSync(path.join(folder, 'substrate.js'), LISTEN);
    fs.writeFileSync(path.join(folder, 'start.js'), START);
    const starter = await startProgram(process.execPath, [path.join(folder, 'start.js')]);
    const [daemon = 0, port = 0] = starter.output().split(' ').map(Number);
    const host = createHost();
    const pids = [starter.pid, daemon];
    const scan = async () => {
      const all = await host.scanner.scan();
      return { ...all, appeared: all.appeared.filter(({ pid }) => pids.includes(pid)) };
    };
    const { reports } = await lookAtProcesses({
      host: { inspector: host.inspector, scanner: { scan } },
      drivers: await createDrivers(configSchema.parse({}).probe, { looksOnly: true }),
      exclude: [],
      apps: new Map(),
      daemonPort: port,
      platform: 'linux',
      uid,
    });
    process.kill(daemon);
    const blocker = expect.stringContaining('started the daemon');
    expect(reports).toMatchObject([{ pid: starter.pid, status: 'blocked', blocker }]);
  });
});
