/** Every app-like process of the machine, and whether it can be attached to. Changes nothing. */
import { locate } from '../../daemon/in-container.ts';
import { findAncestors, isExcluded, isOurs } from '../../daemon/own-processes.ts';
import { verdictOf } from '../../model/attach-verdict.ts';
import type { Config } from '../../model/config.ts';
import type { Host, ProcessInfo, Runtime } from '../../model/process.ts';
import type { Attachment } from '../../model/wire.ts';
import type { Diagnosis, Recognition } from '../../probes/probe.ts';
import type { DriverRegistry } from '../../probes/registry.ts';
import type { TrackedApp } from './daemon-view.ts';
import { looksLike, otherProgram } from './other-programs.ts';

export type ProcessStatus = 'attached' | 'attachable' | 'blocked' | 'no_probe';

export interface ProcessReport {
  readonly pid: number;
  readonly name: string;
  /** For people: `Node.js`, `Python`, `looks like Java`. */
  readonly kind: string;
  /** Null if no driver supports it. */
  readonly runtime: Runtime | null;
  readonly uid: number;
  readonly status: ProcessStatus;
  readonly way: string | null;
  readonly blocker: string | null;
  readonly remedy: string | null;
  /** Whether it can be attached to, whether that happens without being asked, and why; for people. */
  readonly verdict: readonly string[];
  /** Number of other processes that belong to it: those of a browser's tabs. */
  readonly helpers: number;
  /** The daemon's view of it; null if the daemon does not know it, or none runs. */
  readonly daemon: {
    readonly app_id: string;
    readonly probe_status: string;
    readonly problem: string | null;
    /** Whether it is attached to without being asked, and why. */
    readonly by_itself: boolean;
    readonly reason: string;
    /** The cost of reading its state; null before the first capture. */
    readonly cost: Attachment['cost'];
    /** Parts of its probe that do not work in it. */
    readonly parts: Attachment['parts'];
    /** Exceptions that its agent dropped, by place. */
    readonly discarded: Attachment['discarded'];
  } | null;
}

export interface ProcessTools {
  readonly host: Pick<Host, 'scanner' | 'inspector'>;
  readonly drivers: DriverRegistry;
  readonly exclude: Config['scanner']['exclude'];
  readonly apps: ReadonlyMap<number, TrackedApp>;
  /** The port of a running daemon, or null. */
  readonly daemonPort: number | null;
  /** `process.platform` and the user's number; null where there are none. */
  readonly platform: NodeJS.Platform;
  readonly uid: number | null;
}

const NO_PROBE = 'There is no probe for this kind of program.';
const EXCLUDED = {
  blocker: 'It is excluded by your configuration.',
  remedy: 'Take it out of exclude in [scanner].',
};
const STARTED_DAEMON = {
  blocker: 'It started the daemon, which leaves alone whatever started it.',
  remedy: 'Start the daemon by itself: substrate up',
};
const NOT_LINUX = { blocker: 'Programs are attached on Linux only.', remedy: null };

type Outcome = Pick<ProcessReport, 'status' | 'way' | 'blocker' | 'remedy' | 'verdict'>;

/** All processes, and the apps among them. */
export async function lookAtProcesses(
  tools: ProcessTools,
): Promise<{ all: readonly ProcessInfo[]; reports: readonly ProcessReport[] }> {
  const all = (await tools.host.scanner.scan()).appeared;
  const own = new Set([process.pid, ...findAncestors(all)]);
  const starters = startersOf(all, tools);
  const reports: ProcessReport[] = [];
  for (const info of all) {
    if (own.has(info.pid) || isOurs(info) || tools.drivers.isPart(info)) continue;
    const report = await lookAt(info, tools, starters);
    if (report) reports.push(report);
  }
  return { all, reports: withHelpers(reports, all, tools.drivers) };
}

/** The processes that started the daemon. */
function startersOf(all: readonly ProcessInfo[], { host, daemonPort }: ProcessTools): ReadonlySet<number> {
  const isDaemon = (info: ProcessInfo) =>
    isOurs(info) && host.inspector.listeners(info).some(({ port }) => port === daemonPort);
  return new Set(all.filter(isDaemon).flatMap((daemon) => findAncestors(all, daemon)));
}

async function lookAt(
  info: ProcessInfo,
  tools: ProcessTools,
  starters: ReadonlySet<number>,
): Promise<ProcessReport | null> {
  const { host, drivers, apps, exclude } = tools;
  const tracked = apps.get(info.pid) ?? null;
  const base = { pid: info.pid, uid: info.uid, helpers: 0, daemon: null };
  const found = drivers.recognise(info, host.inspector);
  if (found) {
    const { driver } = found;
    const { recognition, plainName } = locate(found.recognition, info, host.inspector);
    if (starters.has(info.pid) && !tracked) return { ...base, ...named(recognition), ...blockedBy(STARTED_DAEMON) };
    const isLeftOut =
      isExcluded(info, exclude) || [recognition.appName, plainName].some((name) => exclude.includes(name));
    const diagnosis = isLeftOut ? null : await driver.diagnose(info, { inspect: host.inspector });
    return { ...base, ...named(recognition), ...outcomeOf(diagnosis, tracked, tools), daemon: daemonSays(tracked) };
  }
  if (info.exe === null) return hidden(info, tools);
  const other = otherProgram(info, host.inspector.details(info));
  if (!other) return null;
  return {
    ...base,
    ...other,
    runtime: null,
    status: 'no_probe',
    way: null,
    blocker: NO_PROBE,
    remedy: null,
    verdict: [NO_PROBE],
  };
}

function named({ appName, runtimeName, runtime }: Recognition) {
  return { name: appName, kind: runtimeName, runtime };
}

function daemonSays(tracked: TrackedApp | null): ProcessReport['daemon'] {
  if (!tracked) return null;
  const { app_id, probe_status } = tracked.summary;
  const { problem, attachment } = tracked;
  const { by_itself, reason, cost, parts, discarded } = attachment ?? NOTHING_KNOWN;
  return { app_id, probe_status, problem, by_itself, reason, cost, parts, discarded };
}

/** For a daemon that does not report it. */
const NOTHING_KNOWN = { by_itself: false, reason: '', cost: null, parts: [], discarded: {} };

/** The daemon's own result outweighs the view from outside. */
function outcomeOf(diagnosis: Diagnosis | null, tracked: TrackedApp | null, { platform }: ProcessTools): Outcome {
  const { summary, problem = null, attachment = null } = tracked ?? {};
  const isAttached = summary?.probe_status === 'active' || (summary?.has_state === true && problem === null);
  const { status, blocker, remedy, sentences } = verdictOf({
    isAttached,
    diagnosis: diagnosis === null ? EXCLUDED : platform === 'linux' ? diagnosis : NOT_LINUX,
    problem,
    givenUp: attachment?.given_up === true,
    policy: attachment && { attach: attachment.by_itself, why: attachment.reason },
  });
  return { status, way: diagnosis?.way ?? null, blocker, remedy, verdict: sentences };
}

function blockedBy(diagnosis: { readonly blocker: string; readonly remedy: string | null }): Outcome {
  const facts = { isAttached: false, problem: null, givenUp: false, policy: null };
  const { status, blocker, remedy, sentences } = verdictOf({ ...facts, diagnosis });
  return { status, way: null, blocker, remedy, verdict: sentences };
}

/** The kernel hides the executable, so only the command line is known. */
function hidden(info: ProcessInfo, { uid, drivers }: ProcessTools): ProcessReport | null {
  const look = looksLike(info, drivers.commands);
  if (!look) return null;
  const isOthers = uid !== null && info.uid !== uid;
  return {
    pid: info.pid,
    uid: info.uid,
    ...look,
    runtime: null,
    ...blockedBy({
      blocker: isOthers
        ? `It belongs to another user (${info.uid}), whose programs this one may not look into.`
        : 'The kernel does not let this user look into it: it has more rights, or protects itself.',
      remedy: isOthers ? 'Run substrate as that user, or as root.' : 'Run substrate as root.',
    }),
    helpers: 0,
    daemon: null,
  };
}

/** Processes of tabs, graphics and the like are counted with their program. */
function withHelpers(
  reports: readonly ProcessReport[],
  all: readonly ProcessInfo[],
  drivers: DriverRegistry,
): ProcessReport[] {
  const byPid = new Map(all.map((info) => [info.pid, info]));
  const listed = new Set(reports.map(({ pid }) => pid));
  const counts = new Map<number, number>();
  for (const info of all) {
    if (!drivers.isPart(info)) continue;
    let at: ProcessInfo | undefined = info;
    for (let steps = 0; at && !listed.has(at.pid) && steps < 8; steps++) at = byPid.get(at.ppid);
    if (at && listed.has(at.pid)) counts.set(at.pid, (counts.get(at.pid) ?? 0) + 1);
  }
  return reports.map((report) => ({ ...report, helpers: counts.get(report.pid) ?? 0 }));
}
