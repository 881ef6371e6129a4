/** `substrate serve`: the daemon in the foreground. The composition root: it creates the parts and connects them. */

import path from 'node:path';
import { type LoadedConfig, loadConfig } from '../config.ts';
import { eventEntry } from '../daemon/action-log.ts';
import { Daemon } from '../daemon/daemon.ts';
import { DAEMON_TITLE } from '../daemon/own-processes.ts';
import type { SchemaStore } from '../daemon/recall.ts';
import { createHost } from '../host/host.ts';
import { KeyGauges } from '../http/key-gauges.ts';
import { loadLater } from '../http/load-later.ts';
import { createMetrics } from '../http/metrics.ts';
import { createHttpServer } from '../http/server.ts';
import type { ChangeFeed } from '../model/change-feed.ts';
import { codeOf, messageOf } from '../model/failure.ts';
import { globMatcher } from '../model/glob.ts';
import { KeySelection } from '../model/key-selection.ts';
import { createDrivers } from '../probes/registry.ts';
import { AuditLog } from '../store/audit-log.ts';
import { FactStore } from '../store/fact-store.ts';
import { keyChanges } from '../store/key-changes.ts';
import { KeyStore } from '../store/key-store.ts';
import { RetryStore } from '../store/retry-store.ts';
import { SchemaRegistry } from '../store/schema-registry.ts';
import { VERSION } from '../version.ts';
import { isKept, untilIdle } from './idle-exit.ts';
import type { joinFleet } from './join-fleet.ts';
import { installLastResort } from './last-resort.ts';
import { createLogger } from './log.ts';
import { BrowserStarter } from './run/browser-starter.ts';

/** In the log, instead of a key: it is unknown who changed the file. */
const KEYS_FILE = 'keys file';

export interface ServeOptions {
  readonly configFile: string | undefined;
  readonly host: string | undefined;
  readonly port: number | undefined;
  /** It ends when no client has sent a request for this long; null for never. */
  readonly idleExitSecs: number | null;
  readonly env: NodeJS.ProcessEnv;
  readonly homeDir: string;
  readonly stdout: (line: string) => void;
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);
const AUTH_WARNING_INTERVAL_MS = 60_000;

/** Resolves when the daemon has stopped. */
export async function serve(options: ServeOptions): Promise<void> {
  const { config, paths } = loadConfig({
    ...(options.configFile === undefined ? {} : { configFile: options.configFile }),
    flags: {
      server: {
        ...(options.host === undefined ? {} : { host: options.host }),
        ...(options.port === undefined ? {} : { port: options.port }),
      },
    },
    env: options.env,
    homeDir: options.homeDir,
  });
  process.title = DAEMON_TITLE;
  const log = createLogger(config.log);
  installLastResort(process, log, (code) => process.exit(code));
  if (!config.auth.require_key && !LOOPBACK.has(config.server.host)) {
    throw new Error(
      `Refusing to serve ${config.server.host} without keys: anyone on the network could read and control your apps. Set [auth] require_key = true, or bind to 127.0.0.1.`,
    );
  }

  if (!config.auth.require_key && config.fleet.servers.length > 0) {
    throw new Error(
      'Refusing to join a fleet without keys: everyone who reaches the NATS server could read and control your apps. Set [auth] require_key = true, or leave out [fleet].',
    );
  }

  const keys = new KeyStore({ file: paths.keysFile, logger: log });
  const schemas = new SchemaRegistry({ dir: paths.schemasDir, logger: log });
  const actionLog = new AuditLog({ dir: paths.storageDir, logger: log });
  const facts = new FactStore({ dir: path.join(paths.storageDir, 'facts'), logger: log });
  const metrics = createMetrics();
  const host = createHost();
  const browsers = new BrowserStarter({
    settings: config.browser,
    loadDrivers: () => createDrivers(config.probe, { looksOnly: true }),
    platform: process.platform,
    env: options.env,
    homeDir: options.homeDir,
    storageDir: paths.storageDir,
  });
  const chosenNumbers = new KeySelection(config.metrics.keys);
  const keyGauges = chosenNumbers.isEmpty ? null : new KeyGauges(chosenNumbers);
  const isInFleet = config.fleet.servers.length > 0;
  const isPublished = isInFleet && config.fleet.publish.length > 0;
  const bases = new FactStore({ dir: path.join(paths.storageDir, 'fleet'), logger: log });
  const daemon = new Daemon({
    config,
    ...(keyGauges === null && !isPublished ? {} : { feed: feedOf(() => [keyGauges, fleet?.publisher ?? null]) }),
    scanner: host.scanner,
    inspector: host.inspector,
    signal: host.signal,
    loadDrivers: () => createDrivers(config.probe),
    schemas: isInFleet ? followed(schemas, (appId) => fleet?.schemaChanged(appId)) : schemas,
    ...(isInFleet ? { onFound: (appId: string) => fleet?.schemaChanged(appId) } : {}),
    facts,
    metrics,
    log,
    actionLog,
    browsers,
    users: config.scanner.other_users ? null : usersOf(options.env),
    owners: usersOf(options.env),
    isAllowed: matcherOf(config.redact.allow),
  });
  // Loaded with the first MCP request: nothing else needs the protocol's library.
  const mcp = loadLater(() => import('../mcp/index.ts'), log);
  const server = createHttpServer({
    service: daemon,
    keys,
    config,
    log,
    metrics,
    version: VERSION,
    startedAt: performance.now(),
    retries: new RetryStore({ dir: paths.storageDir, logger: log }),
    mcp: async (exchange) => (await mcp()).answerMcp(exchange),
    ...(keyGauges === null ? {} : { keyGauges }),
    fleet: () => fleet,
  });
  const fleet = await fleetOf({
    settings: config.fleet,
    server,
    schemas: { knowledgeAs: (name) => daemon.knowledgeAs(name), bases },
    log,
  });

  keys.start();
  let knownKeys = keys.records;
  keys.onChange(() => {
    for (const about of keyChanges(knownKeys, keys.records))
      actionLog.note(eventEntry('key', KEYS_FILE, { pid: null, appId: null }, about));
    knownKeys = keys.records;
    daemon.keysChanged();
  });
  const { port } = await server.listen(config.server.host, config.server.port).catch((error: unknown) => {
    throw new Error(explainListenFailure(error, config.server));
  });
  actionLog.recover();
  const stopSignal = waitForSignal();
  const warning = warnWithoutKeys(config.auth.require_key, log);
  const name = config.server.host.includes(':') ? `[${config.server.host}]` : config.server.host;
  options.stdout(`substrate listening on http://${name}:${port}`);
  fleet?.start();
  await daemon.start();

  const limitMs = (options.idleExitSecs ?? 0) * 1000;
  const idle = () =>
    untilIdle({
      limitMs,
      idleMs: () => server.idleMs(),
      storageDir: paths.storageDir,
      stopListening: () => server.close(),
    });
  const reasons = [stopSignal, ...(options.idleExitSecs === null ? [] : [idle().then(() => 'no client left')])];
  log.info({ reason: await Promise.race(reasons) }, 'stopping');
  clearInterval(warning);
  await fleet?.stopAnswering();
  await server.close();
  await fleet?.close();
  await daemon.stop();
  // A daemon that was started only for its tools closes their browser, too.
  await browsers.close(options.idleExitSecs !== null && !isKept(paths.storageDir));
  await Promise.all([keys.close(), schemas.flush(), facts.flush(), bases.flush(), actionLog.flush()]);
}

function feedOf(followers: () => readonly (ChangeFeed | null)[]): ChangeFeed {
  return {
    changed(change) {
      for (const follower of followers()) follower?.changed(change);
    },
    forgotten(pid) {
      for (const follower of followers()) follower?.forgotten(pid);
    },
  };
}

/** The same store, which reports what it saves. */
function followed(schemas: SchemaRegistry, onSave: (appId: string) => void): SchemaStore {
  return {
    load: (appId) => schemas.load(appId),
    save: (schema) => {
      schemas.save(schema);
      onSave(schema.app_id);
    },
    namesakes: (appId) => schemas.namesakes(appId),
    currentId: (appId) => schemas.currentId(appId),
  };
}

/** Null without a fleet; then nothing of it is loaded. */
async function fleetOf(parts: Parameters<typeof joinFleet>[0]) {
  if (parts.settings.servers.length === 0) return null;
  const { joinFleet } = await import('./join-fleet.ts');
  return joinFleet(parts);
}

function explainListenFailure(error: unknown, { host, port }: LoadedConfig['config']['server']): string {
  const code = codeOf(error);
  if (code === 'EADDRINUSE') {
    return `Port ${port} on ${host} is taken. Is a daemon running already? substrate doctor shows which program has it. Choose another one: port in [server] of the configuration, or --port of substrate serve.`;
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${host} is no address of this machine. Use --host 127.0.0.1.`;
  if (code === 'EACCES')
    return `Port ${port} needs rights that this user does not have. Choose one above 1023: port in [server] of the configuration, or --port.`;
  return `Cannot listen on ${host}:${port}: ${messageOf(error)}`;
}

function matcherOf(globs: readonly string[]): (key: string) => boolean {
  const matchers = globs.map(globMatcher);
  return (key) => matchers.some((matches) => matches(key));
}

function warnWithoutKeys(
  requireKey: boolean,
  log: { warn(fields: object, message: string): void },
): NodeJS.Timeout | undefined {
  if (requireKey) return undefined;
  const warn = () =>
    log.warn(
      {},
      'API keys are switched off ([auth] require_key = false): every local program can read and control your apps',
    );
  warn();
  return setInterval(warn, AUTH_WARNING_INTERVAL_MS);
}

/**
 * The handlers stay until the end: a second Ctrl-C, or npm repeating a signal of the terminal, must not end the daemon
 * while it detaches from the apps. SIGHUP: its terminal was closed.
 */
function waitForSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => resolve(signal));
  });
}

/**
 * The users whose programs this daemon attaches to without being asked. Only root has a choice: root's, and those of
 * the user who called sudo.
 */
function usersOf(env: NodeJS.ProcessEnv): ReadonlySet<number> | null {
  if (process.getuid?.() !== 0) return null;
  const caller = Number(env.SUDO_UID);
  return new Set([0, ...(env.SUDO_UID !== undefined && Number.isInteger(caller) ? [caller] : [])]);
}
