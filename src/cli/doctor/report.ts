/** `substrate doctor --report`: one file for a bug report, shown to the user before it is written. No values, no keys. */
import fs from 'node:fs';
import os from 'node:os';
import type { Substrate, TraceResponse } from '../../client/node.ts';
import type { Config } from '../../model/config.ts';
import { messageOf } from '../../model/failure.ts';
import type { ProcessInfo } from '../../model/process.ts';
import { quotesLeftOut } from '../../model/trace.ts';
import { VERSION } from '../../version.ts';
import { askYes } from '../ask.ts';
import { inTime } from '../connection.ts';
import { EXIT } from '../failures.ts';
import { harmlessJson, type Terminal } from '../terminal.ts';
import type { Check } from './check.ts';
import type { DaemonView } from './daemon-view.ts';
import { type PrivateWords, redactedCommand, redactedValue, redactorOf } from './private-words.ts';
import type { ProcessReport } from './processes.ts';

export interface ReportFacts {
  readonly config: Config;
  readonly checks: readonly Check[];
  readonly reports: readonly ProcessReport[];
  readonly all: readonly ProcessInfo[];
  readonly view: DaemonView;
  /** By pid. */
  readonly traces: ReadonlyMap<number, TraceResponse>;
  readonly system: object;
  readonly madeAt: Date;
  readonly uid: number | null;
}

export interface ReportOptions {
  /** Write without a question. */
  readonly yes: boolean;
  /** Undefined for a name with the date, in the working folder. */
  readonly out: string | undefined;
}

/** The content of the file, without anything private. */
export function makeReport(facts: ReportFacts, words: PrivateWords): object {
  const { config, checks, reports, all, view, traces, system, madeAt, uid } = facts;
  const report = {
    made_at: madeAt.toISOString(),
    substrate: { version: VERSION, daemon: view.health?.version ?? null, daemon_problem: view.problem },
    system,
    runtimes: countBy(reports.map(({ kind }) => kind)),
    settings: withoutNames(config),
    installation: checks,
    processes: reports.map(({ uid: owner, daemon, blocker, verdict, ...report }) => ({
      ...report,
      blocker: blocker && quotesLeftOut(blocker),
      verdict: verdict.map(quotesLeftOut),
      user: owner === uid ? 'the same user' : owner === 0 ? 'root' : 'another user',
      command: redactedCommand(all.find(({ pid }) => pid === report.pid)?.argv ?? []),
      daemon: daemon && { ...daemon, problem: daemon.problem && quotesLeftOut(daemon.problem) },
      trace: traces.get(report.pid)?.steps ?? [],
    })),
  };
  return redactedValue(report, redactorOf(words)) as object;
}

/** The configuration contains keys of states, too. */
function withoutNames({ redact, ...settings }: Config): object {
  return { ...settings, redact: { allow: `${redact.allow.length} patterns` } };
}

function countBy(kinds: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** The daemon's steps with each app; none for an app that ends meanwhile. */
export async function tracesOf(
  substrate: Substrate,
  pids: readonly number[],
  note: (line: string) => void,
): Promise<Map<number, TraceResponse>> {
  const traces = new Map<number, TraceResponse>();
  for (const pid of pids) {
    try {
      traces.set(pid, await substrate.trace(pid, inTime()));
    } catch (error) {
      note(`The trace of ${pid} is missing in the report: ${messageOf(error)}`);
    }
  }
  return traces;
}

export function systemFacts(): object {
  const [cpu] = os.cpus();
  return {
    platform: process.platform,
    kernel: os.release(),
    system: readSystemName(),
    arch: process.arch,
    cpu: cpu?.model ?? null,
    cores: os.cpus().length,
    memory_mb: Math.round(os.totalmem() / 1024 / 1024),
    node: process.versions.node,
  };
}

/** `Debian GNU/Linux 12 (bookworm)`, or null if unknown. */
function readSystemName(): string | null {
  try {
    return /^PRETTY_NAME="?([^"\n]*)/m.exec(fs.readFileSync('/etc/os-release', 'utf8'))?.[1] ?? null;
  } catch {
    // Not every system has that file; the report has the kernel in any case.
    return null;
  }
}

/** Names that may occur in paths and messages. */
export function privateWords(homeDir: string): PrivateWords {
  const names = [os.hostname()];
  try {
    names.push(os.userInfo().username);
  } catch {
    // A user without a name has none that could be in the report.
  }
  return { homeDir, names };
}

/** Shows it, asks, and writes it. Resolves to the exit code. */
export async function writeReport(report: object, { yes, out }: ReportOptions, terminal: Terminal): Promise<number> {
  const text = `${JSON.stringify(JSON.parse(harmlessJson(report)), null, 2)}\n`;
  terminal.stdout.write(text);
  const file = out ?? `substrate-report-${new Date().toISOString().slice(0, 10)}.json`;
  if (!yes) {
    if (process.stdin.isTTY !== true) {
      terminal.note('Nothing was written: nobody could be asked. Add --yes to write it.');
      return EXIT.refused;
    }
    if (!(await askYes(`Write this to ${file}? Read it first: it is meant to be given to others.`))) {
      terminal.note('Nothing was written.');
      return EXIT.refused;
    }
  }
  // Never overwrites a file: it may be a report that was edited by hand.
  fs.writeFileSync(file, text, { mode: 0o600, flag: out === undefined ? 'wx' : 'w' });
  terminal.note(`Written to ${file}.`);
  return EXIT.ok;
}
