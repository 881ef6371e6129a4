/** Checks the daemon: whether it answers, its version, and access. */
import type { Host, ProcessInfo } from '../../model/process.ts';
import { ELSEWHERE } from '../failures.ts';
import { type Check, ok, problem, warning } from './check.ts';
import type { DaemonView } from './daemon-view.ts';

export interface DaemonSurroundings {
  /** The version of this command. */
  readonly version: string;
  /** The configured port; null if the daemon is elsewhere. */
  readonly port: number | null;
  readonly processes: readonly ProcessInfo[];
  readonly inspector: Host['inspector'];
}

export function checkDaemon(view: DaemonView, surroundings: DaemonSurroundings): Check[] {
  const { health, baseUrl } = view;
  if (health === null) return [checkAbsence(view, surroundings)];
  return [ok('daemon', `a daemon answers at ${baseUrl}`), checkVersion(health.version, surroundings), checkKey(view)];
}

function checkVersion(version: string, { version: own }: DaemonSurroundings): Check {
  if (version === own) return ok('version', `version ${version}`);
  const message = `The daemon is version ${version}, this command version ${own}.`;
  return warning('version', message, 'Restart the daemon: substrate down, then substrate up.');
}

function checkKey({ problem: refused, health }: DaemonView): Check {
  if (health?.auth_enabled === false) return ok('access', 'it asks for no key');
  if (refused === null) return ok('access', 'it accepts the key');
  return problem('access', refused, 'Give a key of this daemon by --key or SUBSTRATE_KEY.');
}

function checkAbsence({ baseUrl, problem: why, isForeign }: DaemonView, surroundings: DaemonSurroundings): Check {
  const { port, processes, inspector } = surroundings;
  if (why !== null && isForeign) return problem('daemon', why, ELSEWHERE);
  if (port === null) return problem('daemon', why ?? `No daemon answers at ${baseUrl}.`, 'Start it there.');
  const self = processes.find(({ pid }) => pid === process.pid);
  if (!self || !inspector.isPortTaken(self, port))
    return warning('daemon', `No daemon runs at ${baseUrl}.`, 'substrate up');
  const taker = processes.find((info) => inspector.listeners(info).some((listener) => listener.port === port));
  const who = taker ? `${taker.name} (pid ${taker.pid})` : 'a process of another user';
  const message = `Port ${port} is taken by ${who}, which does not answer as a daemon would.`;
  return problem('daemon', message, 'End it, or choose another port: port in [server], or --port.');
}
