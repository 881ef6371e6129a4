/** `substrate service install|uninstall|status`: the daemon as a service of the user's, started at login. */
import { mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Substrate } from '../../client/node.ts';
import { loadConfig } from '../../config.ts';
import { isAbsent } from '../../store/store-error.ts';
import { logFile } from '../background/daemon-log.ts';
import { inTime, urlOfConfig } from '../connection.ts';
import { EXIT, RefusedError } from '../failures.ts';
import { printable, type Terminal } from '../terminal.ts';
import { launchdPlist } from './launchd-plist.ts';
import { isServiceActive, managerOf, type ServiceHost } from './service-host.ts';
import { remarksOn, serviceProgram } from './service-program.ts';
import { systemdUnit } from './systemd-unit.ts';

export interface ServiceOptions {
  readonly configFile: string | undefined;
  readonly host: ServiceHost;
  readonly terminal: Terminal;
  readonly json: boolean;
  /** The program's own file. */
  readonly script: string;
}

export async function installService(options: ServiceOptions & { readonly print: boolean }): Promise<void> {
  const { host, terminal } = options;
  const manager = managerOf(host);
  const text = textOf(options);
  if (options.print) {
    if (options.json) terminal.json({ file: manager.file, text });
    else terminal.stdout.write(text);
    return;
  }
  await refuseBeside(options);
  for (const remark of remarksOn({ script: realpathSync(options.script), env: host.env })) terminal.note(remark);
  const isNew = readText(manager.file) !== text;
  if (isNew) {
    mkdirSync(path.dirname(manager.file), { recursive: true });
    writeFileSync(manager.file, text);
  }
  const wasActive = isServiceActive(host);
  const left = isNew || !wasActive ? runAll(manager.start(wasActive), host) : [];
  const isActive = isServiceActive(host);
  if (options.json) {
    terminal.json({ file: manager.file, written: isNew, active: isActive, left });
    return;
  }
  terminal.out(`${manager.file} ${isNew ? 'written' : 'is as it should be'}`);
  printRest(terminal, left, manager.name);
  if (left.length === 0) terminal.note(`The daemon runs as a service. Its log: ${manager.toSeeLog}`);
  if (host.platform === 'linux' && left.length === 0)
    terminal.note('It runs while you are logged in; for always: loginctl enable-linger');
  terminal.note('To undo all of this: substrate service uninstall');
}

export function uninstallService({ host, terminal, json }: ServiceOptions): void {
  const manager = managerOf(host);
  const wasThere = readText(manager.file) !== null;
  const left = wasThere ? runAll(manager.stop, host) : [];
  rmSync(manager.file, { force: true });
  if (wasThere) left.push(...runAll(manager.afterRemoval, host));
  if (json) {
    terminal.json({ file: manager.file, removed: wasThere, left });
    return;
  }
  terminal.out(wasThere ? `${manager.file} removed` : 'No service is installed.');
  printRest(terminal, left, manager.name);
}

/** Returns the exit code. */
export function serviceStatus({ host, terminal, json }: ServiceOptions): number {
  const manager = managerOf(host);
  const installed = readText(manager.file) !== null;
  const active = isServiceActive(host);
  if (json) terminal.json({ manager: manager.name, file: manager.file, installed, active });
  else if (!installed) terminal.out('not installed (substrate service install)');
  else {
    const state = active ? terminal.paint('green', 'running') : terminal.paint('red', 'not running');
    terminal.out(`${state}  ${manager.file}`);
    terminal.note(`Its log: ${manager.toSeeLog}`);
  }
  if (!installed) return EXIT.notFound;
  return active ? EXIT.ok : EXIT.failed;
}

function textOf({ host, configFile, script }: ServiceOptions): string {
  const { env, homeDir } = host;
  const { storageDir } = loadConfig({ configFile, env, homeDir }).paths;
  const program = serviceProgram({
    node: process.execPath,
    script: realpathSync(script),
    configFile: configFile === undefined ? null : path.resolve(configFile),
    env,
    log: logFile(storageDir),
  });
  return host.platform === 'darwin' ? launchdPlist(program) : systemdUnit(program);
}

/** Two daemons would compete for the address, and the service would fail again and again. */
async function refuseBeside({ host, configFile }: ServiceOptions): Promise<void> {
  if (isServiceActive(host)) return;
  const url = urlOfConfig({ configFile, env: host.env, homeDir: host.homeDir });
  // No daemon answers, so the service has the address for itself.
  const runs = await new Substrate({ baseUrl: url }).health(inTime()).catch(() => null);
  if (runs !== null)
    throw new RefusedError(`A daemon that is no service answers at ${url}. End it first: substrate down`);
}

/** Returns the commands that are left for a person, from the first failure on. */
function runAll(commands: readonly (readonly string[])[], host: ServiceHost): { command: string; problem: string }[] {
  for (const [at, command] of commands.entries()) {
    const { code, output } = host.run(command);
    if (code === 0) continue;
    const problem = code === null ? `there is no ${command[0]} here` : output || `it ended with ${code}`;
    return commands.slice(at).map((rest, later) => ({ command: rest.join(' '), problem: later === 0 ? problem : '' }));
  }
  return [];
}

function printRest(
  { note, paint }: Terminal,
  left: readonly { readonly command: string; readonly problem: string }[],
  manager: string,
): void {
  const [first] = left;
  if (first === undefined) return;
  note(`${paint('yellow', `${manager} could not be asked`)}: ${printable(first.problem.split('\n')[0] ?? '')}`);
  note('What is left to do:');
  for (const { command } of left) note(`  ${command}`);
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}
