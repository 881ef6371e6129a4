/** The contract between the daemon and a runtime: a driver recognises and attaches, a probe captures and acts. */

import type { BudgetPart, ProbeBudget } from '../model/budget.ts';
import { messageOf } from '../model/failure.ts';
import type { ProbeHealth } from '../model/health.ts';
import type { LeafRoot, LeafUpdate } from '../model/leaves.ts';
import type { Logger } from '../model/log.ts';
import type { ProcessInfo, ProcessInspector, ProcessOrigin, Runtime, Signaller } from '../model/process.ts';
import type { ActionArguments, ActionOutcome, RawAction } from '../model/raw-action.ts';
import type { Trace } from '../model/trace.ts';
import type { AppContext } from '../model/wire.ts';
import type { BuildFaults } from './support/agent-files/whole-files.ts';
import type { Launch, LaunchHelp } from './support/launch.ts';

export interface ProgramIdentity {
  /** The name of the app for people. */
  readonly appName: string;
  /**
   * Identifies the same app after a restart: the path of a script, main class or assembly. Never a pid, port or time,
   * and nothing that the program can overwrite.
   */
  readonly identity: string;
  /** Identities of the same app by earlier rules, the newest last. */
  readonly earlier?: readonly string[];
}

/** A driver's view of its own process from outside. */
export interface Recognition extends ProgramIdentity {
  readonly runtime: Runtime;
  /** For people: `Node.js`, `Chromium`, `OpenJDK`, … */
  readonly runtimeName: string;
  /** The identity is uncertain, for example taken from `process.title`: it may belong to another program. */
  readonly isGuess?: boolean;
  /** Its container; absent if there is none, or if it is the daemon's. */
  readonly origin?: ProcessOrigin | undefined;
  /** It is a program with windows, such as a browser. */
  readonly hasWindow?: boolean;
  /** An attach opens a port through which any user of this machine can run code in it, even if only for a moment. */
  readonly opensInspector?: boolean;
}

export interface ProbeDriver {
  /**
   * Decides by the executable, mapped modules and threads; null if it is not this driver's. Must be cheap and never
   * signal.
   */
  recognise(process: ProcessInfo, inspect: ProcessInspector): Recognition | null;
  /** Resolves once the probe can capture. Throws `AttachError`, after undoing everything it did to the target. */
  attach(process: ProcessInfo, tools: AttachTools): Promise<Probe>;
  /** The checks of an attach, without touching the target. Never rejects. */
  diagnose(process: ProcessInfo, tools: DiagnoseTools): Promise<Diagnosis>;
  /** Removes leftovers of a daemon that was killed together with its programs. Called once; never throws. */
  sweep?(inspect: ProcessInspector): void;
  /** True for a process that belongs to a program of this driver but is no program itself, such as a browser's tab. */
  isPart?(process: ProcessInfo): boolean;
  /** The needs of a program of this driver at its start; null if it is not one. */
  help(launch: Launch): LaunchHelp | null;
  /** The agent that is loaded into programs, if there is one. */
  readonly agent?: AgentOfDriver;
}

export interface AgentOfDriver {
  /** `java`, `dotnet`. */
  readonly id: string;
  /** For people. */
  readonly program: string;
  /** Throws `AttachError` if there is none. */
  check(cpu: string): BuildFaults;
}

export type DiagnoseTools = Pick<AttachTools, 'inspect'>;

/** Whether a process can be attached to, for people. */
export interface Diagnosis {
  readonly attachable: boolean;
  /** The way of attaching. */
  readonly way: string;
  /** Null if none is visible from outside. */
  readonly blocker: string | null;
  /** Null if there is none, or none is needed. */
  readonly remedy: string | null;
}

/** A driver's store for facts about the code of an app, which make the next attach faster. */
export interface FactsStore {
  /** The stored value, possibly written by another version. */
  load(): unknown;
  /** Must be JSON-able. */
  save(facts: unknown): void;
}

export interface AttachTools {
  readonly inspect: ProcessInspector;
  readonly signal: Signaller;
  readonly log: Logger;
  /** The trace of this app: receives each step of the attach and every message. */
  readonly trace: Trace;
  /** Absent if nothing is kept. */
  readonly facts?: FactsStore;
  readonly maxKeys: number;
  readonly budget: ProbeBudget;
  /** Aborted when the process ends or the daemon stops. */
  readonly abort: AbortSignal;
}

/** The reason why an attach failed, and the remedy, for people. */
export class AttachError extends Error {
  /** False if another try cannot help while this process lives. */
  readonly retry: boolean;
  /** The obstacle; `message` adds the remedy. */
  readonly blocker: string;
  /** The remedy; null if none is known. */
  readonly remedy: string | null;

  constructor(blocker: string, options: { retry: boolean; remedy?: string; cause?: unknown }) {
    const { retry, remedy = null, cause } = options;
    super(remedy === null ? blocker : `${blocker} ${remedy}`, cause === undefined ? undefined : { cause });
    this.name = 'AttachError';
    this.retry = retry;
    this.blocker = blocker;
    this.remedy = remedy;
  }
}

/**
 * Another daemon is attached to the program. Checking whether it has left is cheap, and touches nothing of the
 * program's.
 */
export class TakenError extends AttachError {}

/**
 * Turns the checks of an attach into a diagnosis. `check` throws `AttachError`, or returns the way more exactly than
 * `way`, which is the fallback if there is a blocker.
 */
export async function diagnosed(way: string, check: () => string | Promise<string>): Promise<Diagnosis> {
  try {
    return { attachable: true, way: await check(), blocker: null, remedy: null };
  } catch (error) {
    if (error instanceof AttachError) return { attachable: false, way, blocker: error.blocker, remedy: error.remedy };
    const why = messageOf(error);
    return { attachable: false, way, blocker: `It could not be looked at: ${why}.`, remedy: null };
  }
}

/** The call was refused before anything reached the app. */
export class NotDispatchedError extends Error {
  override readonly name = 'NotDispatchedError';
}

/** A dialog of the app must be answered first; nothing reached the app. */
export class BlockedError extends NotDispatchedError {}

/** The values of the arguments are unusable; nothing reached the app. */
export class BadArgumentError extends Error {
  override readonly name = 'BadArgumentError';
}

/** The app itself delays a capture or an action (an endless script, a crash): attaching again would not help. */
export class TargetBusyError extends Error {
  override readonly name = 'TargetBusyError';
}

/** Every poll is `fast`; `deep` may scan the heap, and follows only when `fast` found too little. */
export type CaptureDepth = 'fast' | 'deep';

export interface CaptureRequest {
  readonly depth: CaptureDepth;
  /** A client asked for this capture, so it may delay the app for longer than one of the daemon's own. */
  readonly isAsked?: boolean;
  /** Send everything, not only the changes since the last capture. */
  readonly full: boolean;
  readonly signal: AbortSignal;
}

export interface Capture {
  readonly leaves: LeafUpdate;
  /** Null if unchanged since the last capture. */
  readonly roots: readonly LeafRoot[] | null;
  /** Null if unchanged since the last capture. */
  readonly actions: readonly RawAction[] | null;
  readonly context: AppContext;
  /** One of the driver's declared tiers. */
  readonly tier: string;
  readonly domTierUsed: boolean;
  /** Number of leaves before any filter or cap. */
  readonly rawCount: number;
  /** Share of the leaves that were read: 1 unless a cap was hit. */
  readonly coverage: number;
  /** CPU time of the target in ms; null if unknown. */
  readonly costMs: number | null;
  /** The budget that left the capture incomplete, besides `maxKeys`. */
  readonly stoppedBy: BudgetPart | null;
  /** Regardless of the labels, a deep capture would likely find state that this one could not reach. */
  readonly suggestsHeapScan: boolean;
  /** False if a deep capture was requested and the budget had no room for one. Absent if the request was met. */
  readonly isDeep?: boolean;
  /** An event in the app that reveals more state: `the next request of this server`. Absent if there is none. */
  readonly waitsFor?: string | null;
  /** The central object that was not found: `the object that handles the requests of this server`. Absent if it was. */
  readonly unseen?: string | null;
  /** No object of the program's own classes was found. Absent if unknown, or if one was. */
  readonly seesNoObject?: boolean;
  /** The budget ended the search before it reached the state nearest to the app; the next captures continue it. */
  readonly isSearching?: boolean;
  /** So much is left that anything may be missing. */
  readonly hasMuchLeft?: boolean;
  /** The page is still loading, so more state will come by itself. */
  readonly isLoading?: boolean;
  /** A sentence that names the dialog which blocks the other actions; absent if none does. */
  readonly blockedBy?: string | null;
  /** True if a scan of the heap found anything. Absent if there was none. */
  readonly foundInHeap?: boolean;
}

export interface Probe {
  /** The program according to the runtime itself. Absent if the view from outside cannot be wrong. */
  readonly program?: ProgramIdentity | undefined;
  /** Captures do not overlap: the caller waits for one before it requests the next. */
  capture(request: CaptureRequest): Promise<Capture>;
  /** After `limitMs` the caller stops waiting. The call in the app is not interrupted. */
  invoke(binding: string, args: ActionArguments, signal: AbortSignal, limitMs?: number): Promise<ActionOutcome>;
  /** Analyses the code of this action first at the next capture. Absent if all are judged at once. */
  judgeFirst?(binding: string): void;
  /**
   * The exception that the app threw outside the last call of `invoke`, soon after it, if that is visible; otherwise
   * null.
   */
  takeThrown?(): string | null;
  /** Resolves soon after a change in the app, if the app can report changes; a capture then shows which. */
  changed?(signal: AbortSignal): Promise<void>;
  /** Parts that do not work in this app, and the exceptions that its agent dropped. */
  health?(): ProbeHealth;
  /** Settles when the connection to the target is lost for any reason. */
  readonly closed: Promise<void>;
  /** Undoes everything that the attach did, within limited time. Never throws. */
  detach(): Promise<void>;
}
