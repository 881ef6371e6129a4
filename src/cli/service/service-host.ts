/** The service manager of this machine: its files and commands. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { UsageError } from '../failures.ts';

export const SYSTEMD_UNIT = 'substrate.service';
export const LAUNCHD_LABEL = 'dev.substrate.daemon';
const TIMEOUT_MS = 20_000;

export interface CommandResult {
  /** Null if there is no such command. */
  readonly code: number | null;
  readonly output: string;
}

export interface ServiceHost {
  readonly platform: NodeJS.Platform;
  readonly uid: number;
  readonly homeDir: string;
  readonly env: NodeJS.ProcessEnv;
  run(command: readonly string[]): CommandResult;
}

export function createServiceHost(env: NodeJS.ProcessEnv, homeDir: string): ServiceHost {
  return {
    platform: process.platform,
    uid: process.getuid?.() ?? -1,
    homeDir,
    env,
    run([file = '', ...args]) {
      const { status, stdout, stderr, error } = spawnSync(file, args, { encoding: 'utf8', timeout: TIMEOUT_MS, env });
      if (error && 'code' in error && error.code === 'ENOENT') return { code: null, output: '' };
      return { code: status ?? 1, output: `${stdout ?? ''}${stderr ?? ''}`.trim() };
    },
  };
}

/** The commands for the manager, and its file. */
export interface ServiceManager {
  readonly name: string;
  readonly file: string;
  /** Run in this order after the file was written. */
  start(isActive: boolean): readonly (readonly string[])[];
  /** Run before it is removed. */
  readonly stop: readonly (readonly string[])[];
  /** Run after it was removed. */
  readonly afterRemoval: readonly (readonly string[])[];
  readonly isActive: readonly string[];
  readonly toStop: string;
  readonly toSeeLog: string;
}

/** Throws on systems without a known manager. */
export function managerOf(host: ServiceHost): ServiceManager {
  if (host.platform === 'linux') return systemd(host);
  if (host.platform === 'darwin') return launchd(host);
  throw new UsageError(
    `Services are known on Linux (systemd) and macOS (launchd), not on ${host.platform}: run substrate up at login instead.`,
  );
}

/** Also false if unknown. */
export function isServiceActive(host: ServiceHost): boolean {
  if (host.platform !== 'linux' && host.platform !== 'darwin') return false;
  return host.run(managerOf(host).isActive).code === 0;
}

export function stopCommand(host: ServiceHost): string {
  return managerOf(host).toStop;
}

function systemd({ env, homeDir }: ServiceHost): ServiceManager {
  const { XDG_CONFIG_HOME } = env;
  const isGiven = XDG_CONFIG_HOME !== undefined && path.isAbsolute(XDG_CONFIG_HOME);
  const configHome = isGiven ? XDG_CONFIG_HOME : path.join(homeDir, '.config');
  const ask = (...args: string[]) => ['systemctl', '--user', ...args];
  return {
    name: 'systemd',
    file: path.join(configHome, 'systemd', 'user', SYSTEMD_UNIT),
    start: () => [ask('daemon-reload'), ask('enable', SYSTEMD_UNIT), ask('restart', SYSTEMD_UNIT)],
    stop: [ask('disable', '--now', SYSTEMD_UNIT)],
    afterRemoval: [ask('daemon-reload')],
    isActive: ask('is-active', '--quiet', SYSTEMD_UNIT),
    toStop: 'systemctl --user stop substrate',
    toSeeLog: 'journalctl --user -u substrate',
  };
}

function launchd({ uid, homeDir }: ServiceHost): ServiceManager {
  const file = path.join(homeDir, 'Library', 'LaunchAgents', `${LAUNCHD_LABEL}.plist`);
  const target = `gui/${uid}/${LAUNCHD_LABEL}`;
  const bootout = ['launchctl', 'bootout', target];
  return {
    name: 'launchd',
    file,
    // It reads the file only on this command, which also starts it.
    start: (isActive) => [...(isActive ? [bootout] : []), ['launchctl', 'bootstrap', `gui/${uid}`, file]],
    stop: [bootout],
    afterRemoval: [],
    isActive: ['launchctl', 'print', target],
    toStop: bootout.join(' '),
    toSeeLog: 'less ~/.local/share/substrate/daemon.log',
  };
}
