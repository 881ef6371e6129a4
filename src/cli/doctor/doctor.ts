/**
 * `substrate doctor`: shows what can be attached to, what cannot and why, and whether the installation is sound.
 * Changes nothing.
 */
import { Substrate } from '../../client/node.ts';
import { type LoadedConfig, loadConfig } from '../../config.ts';
import { configSchema } from '../../config-schema.ts';
import type { FleetSettings } from '../../fleet/look.ts';
import { createHost } from '../../host/host.ts';
import { createDrivers } from '../../probes/registry.ts';
import { VERSION } from '../../version.ts';
import { type ConnectionOptions, connectionOf, urlOfConfig } from '../connection.ts';
import { EXIT, NotFoundError, UsageError } from '../failures.ts';
import type { Terminal } from '../terminal.ts';
import { checkAgents } from './agent-checks.ts';
import type { Check } from './check.ts';
import { checkDaemon } from './daemon-checks.ts';
import { askDaemon, type DaemonView } from './daemon-view.ts';
import { type ConfigResult, checkConfig, checkFiles } from './file-checks.ts';
import { lookAtProcesses, type ProcessReport } from './processes.ts';
import { makeReport, privateWords, type ReportOptions, systemFacts, tracesOf, writeReport } from './report.ts';
import { showInstallation, showOne, showProcesses, showSummary } from './show.ts';
import { checkSystem, thisSystem } from './system-checks.ts';

/** The default address of a daemon. */
const DEFAULT_URL = 'http://127.0.0.1:7842';

export interface DoctorOptions {
  /** A pid, or the beginning of a name; null for everything. */
  readonly wanted: string | null;
  readonly json: boolean;
  /** Null if none is wanted. */
  readonly report: ReportOptions | null;
  readonly connection: ConnectionOptions;
  readonly terminal: Terminal;
}

/** Resolves to the exit code. */
export async function doctor({ wanted, json, report, connection, terminal }: DoctorOptions): Promise<number> {
  const result = readConfig(connection);
  const config = 'loaded' in result ? result.loaded.config : configSchema.parse({});
  // Before the request to the daemon creates a key.
  const files = 'loaded' in result ? checkFiles(result.loaded, process.geteuid?.() ?? null) : [];
  const baseUrl = connection.url ?? ('loaded' in result ? urlOfConfig(connection) : DEFAULT_URL);
  const view = await askDaemon(baseUrl, () => connectionOf({ ...connection, url: baseUrl }));
  const system = thisSystem();
  const host = createHost();
  const drivers = await createDrivers(config.probe, { looksOnly: true });
  const { all, reports } = await lookAtProcesses({
    host,
    drivers,
    exclude: config.scanner.exclude,
    apps: view.apps,
    daemonPort: view.health === null ? null : portOf(baseUrl),
    platform: system.platform,
    uid: system.uid,
  });
  if (wanted !== null && report === null) {
    const name = all.find(({ pid }) => String(pid) === wanted)?.name ?? null;
    // Without the daemon's answer there is only the view from outside.
    if (view.health !== null && view.problem !== null)
      terminal.note(`The daemon at ${baseUrl} did not say what it knows: ${view.problem}`);
    return showWanted(wanted, name, reports, json, terminal);
  }
  const port = connection.url === undefined ? config.server.port : null;
  const checks = [
    ...checkSystem(system, drivers.folders),
    ...checkConfig(result),
    ...files,
    ...checkAgents(drivers.agents, system.arch),
    ...checkDaemon(view, { version: VERSION, port, processes: all, inspector: host.inspector }),
    ...(config.fleet.servers.length === 0
      ? []
      : await fleetChecks(config.fleet, view.health !== null && port !== null)),
  ];
  if (report === null) return showAll(checks, reports, view, json, terminal);
  const found = wanted === null ? reports : [findReport(wanted, reports)].filter((each) => each !== null);
  const substrate = view.apps.size === 0 ? null : new Substrate(await connectionOf({ ...connection, url: baseUrl }));
  const pids = found.map(({ pid }) => pid).filter((pid) => view.apps.has(pid));
  const traces = substrate === null ? new Map() : await tracesOf(substrate, pids, (line) => terminal.note(line));
  const facts = { config, checks, reports: found, all, view, traces, system: systemFacts(), uid: system.uid };
  const content = makeReport({ ...facts, madeAt: new Date() }, privateWords(connection.homeDir));
  return writeReport(content, report, terminal);
}

/** Loaded only with a fleet. */
async function fleetChecks(settings: FleetSettings, isRunning: boolean): Promise<Check[]> {
  return (await import('./fleet-checks.ts')).checkFleet(settings, isRunning);
}

/** A URL leaves out the default port of its protocol. */
function portOf(url: string): number {
  const { port, protocol } = new URL(url);
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

function readConfig({ configFile, env, homeDir }: ConnectionOptions): ConfigResult {
  try {
    const loaded: LoadedConfig = loadConfig({ configFile, env, homeDir });
    return { loaded };
  } catch (failure) {
    return { failure };
  }
}

function showAll(
  checks: readonly Check[],
  reports: readonly ProcessReport[],
  { health, baseUrl }: DaemonView,
  json: boolean,
  terminal: Terminal,
): number {
  if (json) {
    const daemon = { url: baseUrl, version: health?.version ?? null };
    terminal.json({ version: VERSION, daemon, installation: checks, processes: reports });
  } else {
    showInstallation(checks, terminal);
    showProcesses(reports, terminal);
    showSummary(checks, reports, terminal);
  }
  return checks.some(({ status }) => status === 'problem') ? EXIT.failed : EXIT.ok;
}

/** `name`: the name of the process with that pid, app or not. */
function showWanted(
  wanted: string,
  name: string | null,
  reports: readonly ProcessReport[],
  json: boolean,
  terminal: Terminal,
): number {
  const found = findReport(wanted, reports);
  if (!found) {
    const isPid = /^\d+$/.test(wanted);
    const hint = 'substrate doctor lists what there is.';
    if (name !== null)
      throw new NotFoundError(`Process ${wanted} (${name}) is not an app: nothing in it could be attached to.`, hint);
    throw new NotFoundError(isPid ? `There is no process ${wanted}.` : `No app is called ${wanted}.`, hint);
  }
  if (json) terminal.json(found);
  else showOne(found, terminal);
  return found.status === 'attached' || found.status === 'attachable' ? EXIT.ok : EXIT.failed;
}

function findReport(wanted: string, reports: readonly ProcessReport[]): ProcessReport | null {
  const byPid = reports.find(({ pid }) => String(pid) === wanted);
  if (byPid) return byPid;
  const lower = wanted.toLowerCase();
  const tests = [
    ({ name, daemon }: ProcessReport) => name.toLowerCase() === lower || daemon?.app_id === wanted,
    ({ name, kind }: ProcessReport) => name.toLowerCase().startsWith(lower) || kind.toLowerCase().startsWith(lower),
  ];
  for (const isMeant of tests) {
    const found = reports.filter(isMeant);
    if (found.length === 1) return found[0] ?? null;
    if (found.length > 1)
      throw new UsageError(
        `"${wanted}" may be any of ${found.map(({ pid, name }) => `${name} (pid ${pid})`).join(', ')}.`,
      );
  }
  return null;
}
