/** The contract between the daemon and a runtime: a driver recognises and attaches, a probe captures and acts. */

import type { BudgetPart, ProbeBudget } from '../model/budget.ts';
import { messageOf } from '../model/failure.ts';
import type { ProbeHealth } from '../model/health.ts';
import type { LeafRoot, LeafUpdate } from '../model/leaves.ts';
import type { Logger } from '../model/log.ts';
import type { ProcessInfo, ProcessInspector, Runtime, Signaller } from '../model/process.ts';
import type { ActionArguments, ActionOutcome, RawAction } from '../model/raw-action.ts';
import type { Trace } from '../model/trace.ts';
import type { AppContext } from '../model/wire.ts';
import type { BuildFaults } from './support/agent-files/whole-files.ts';
import type { Launch, LaunchHelp } from './support/launch.ts';

/** Which program it is. */
export interface ProgramIdentity {
  /** What a person would call the app. */
  readonly appName: string;
  /**
   * Names the same app again after a restart: a script, main class or assembly path. Never a pid, port or time, and
   * nothing that the program can overwrite.
   */
  readonly identity: string;
  /** Identities of the same app by earlier rules, the newest last. */
  readonly earlier?: readonly string[];
}

/** What a driver sees in a process that is its own, from outside. */
export interface Recognition extends ProgramIdentity {
  readonly runtime: Runtime;
  /** For people: `Node.js`, `Chromium`, `OpenJDK`, … */
  readonly runtimeName: string;
  /** The identity is a guess, for example by `process.title`: it may be that of another program. */
  readonly isGuess?: boolean;
  /** It is a program with windows, as browsers are. */
  readonly hasWindow?: boolean;
  /** An attach opens a port through which any user of this machine can run code in it, if only for a moment. */
  readonly opensInspector?: boolean;
}

export interface ProbeDriver {
  /** Decides by the executable, mapped modules and threads; null: not this driver's. Must be cheap and never signal. */
  recognise(process: ProcessInfo, inspect: ProcessInspector): Recognition | null;
  /** Resolves once the probe can capture. Throws `AttachError`; whatever it did to the target is undone by then. */
  attach(process: ProcessInfo, tools: AttachTools): Promise<Probe>;
  /** What an attach would find before it touches anything; looks only. Never rejects. */
  diagnose(process: ProcessInfo, tools: DiagnoseTools): Promise<Diagnosis>;
  /** Removes what was left when a daemon and then its programs were killed. Called once; never throws. */
  sweep?(inspect: ProcessInspector): void;
  /** A process that belongs to a program of this driver's, and is none itself: a browser's tab. */
  isPart?(process: ProcessInfo): boolean;
  /** What a program of this driver's needs when it is started; null: it is not one. */
  help(launch: Launch): LaunchHelp | null;
  /** What is loaded into programs, where something is. */
  readonly agent?: AgentOfDriver;
}

export interface AgentOfDriver {
  /** `java`, `dotnet`. */
  readonly id: string;
  /** For people. */
  readonly program: string;
  /** Throws `AttachError` when there is none. */
  check(cpu: string): BuildFaults;
}

export type DiagnoseTools = Pick<AttachTools, 'inspect'>;

/** Whether a process can be attached to, for people. */
export interface Diagnosis {
  readonly attachable: boolean;
  /** How it is done, or would be. */
  readonly way: string;
  /** Null: nothing that can be seen from outside. */
  readonly blocker: string | null;
  /** Null: there is none, or none is needed. */
  readonly remedy: string | null;
}

/** Where a driver keeps what it knows of the code of an app, to be there sooner next time. */
export interface FactsStore {
  /** Whatever is there: another version may have stored it. */
  load(): unknown;
  /** Must be JSON-able. */
  save(facts: unknown): void;
}

export interface AttachTools {
  readonly inspect: ProcessInspector;
  readonly signal: Signaller;
  readonly log: Logger;
  /** Of this app: each step of the attach, and every message, is reported to it. */
  readonly trace: Trace;
  /** Absent: nothing is kept. */
  readonly facts?: FactsStore;
  readonly maxKeys: number;
  readonly budget: ProbeBudget;
  /** Aborted when the process ends or the daemon stops. */
  readonly abort: AbortSignal;
}

/** Why an attach did not happen and what would help; shown to people. */
export class AttachError extends Error {
  /** False: trying again cannot help while this process lives. */
  readonly retry: boolean;
  /** What is in the way; `message` is this and the remedy. */
  readonly blocker: string;
  /** What helps; null: nothing that could be said beforehand. */
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

/** Another daemon has the program. To look whether that has gone is cheap, and touches nothing of the program's. */
export class TakenError extends AttachError {}

/**
 * Turns the checks of an attach into a diagnosis. `check` throws `AttachError`, or tells the way more exactly than `way`,
 * which stands for it when there is a blocker.
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

/** A dialog of the app comes first; nothing reached the app. */
export class BlockedError extends NotDispatchedError {}

/** The values of the arguments cannot be used; nothing reached the app. */
export class BadArgumentError extends Error {
  override readonly name = 'BadArgumentError';
}

/** The app itself holds a capture or an action up (a script that does not end, a crash): attaching again would not help. */
export class TargetBusyError extends Error {
  override readonly name = 'TargetBusyError';
}

/** `fast` is what every poll does; `deep` may look through the heap and is asked for only when `fast` found too little. */
export type CaptureDepth = 'fast' | 'deep';

export interface CaptureRequest {
  readonly depth: CaptureDepth;
  /** Somebody asked for this very look: it may hold the app up for longer than one that the daemon takes by itself. */
  readonly isAsked?: boolean;
  /** Send everything, not what changed since the last capture. */
  readonly full: boolean;
  readonly signal: AbortSignal;
}

export interface Capture {
  readonly leaves: LeafUpdate;
  /** null: the same as at the last capture. */
  readonly roots: readonly LeafRoot[] | null;
  /** null: the same as at the last capture. */
  readonly actions: readonly RawAction[] | null;
  readonly context: AppContext;
  /** One of those that its driver declares. */
  readonly tier: string;
  readonly domTierUsed: boolean;
  /** Leaves that the probe saw before any filter or cap. */
  readonly rawCount: number;
  /** Share of what it saw that it also read: 1 unless a cap was hit. */
  readonly coverage: number;
  /** CPU time of the target that it took, in ms; null: that is not known. */
  readonly costMs: number | null;
  /** Why there is more than was read, besides `maxKeys`. */
  readonly stoppedBy: BudgetPart | null;
  /** Whatever the labels say: a deep look would likely find state that this one could not reach. */
  readonly suggestsHeapScan: boolean;
  /** False: it was asked for a deep look, and the budget had no room for one. Absent: it is what it was asked for. */
  readonly isDeep?: boolean;
  /** What must happen in the app before more of it can be seen: `the next request of this server`. Absent: nothing. */
  readonly waitsFor?: string | null;
  /** What the program is about was not seen: `the object that handles the requests of this server`. Absent: it was. */
  readonly unseen?: string | null;
  /** No object of the program's own classes was seen. Absent: that is not known, or one was. */
  readonly seesNoObject?: boolean;
  /** The budget ended the search before what is nearest to the app was seen: the next captures go on. */
  readonly isSearching?: boolean;
  /** So much of that is left that anything may be missing. Absent: it is not. */
  readonly hasMuchLeft?: boolean;
  /** More is about to come by itself: the page is still loading. */
  readonly isLoading?: boolean;
  /** A sentence that says which dialog keeps the other actions away; absent: none does. */
  readonly blockedBy?: string | null;
  /** Whether a look through the heap found anything. Absent: there was none. */
  readonly foundInHeap?: boolean;
}

export interface Probe {
  /** What the runtime itself says that it runs. Absent: what was seen from outside cannot be wrong. */
  readonly program?: ProgramIdentity | undefined;
  /** Captures do not overlap: the caller waits for one before it asks for the next. */
  capture(request: CaptureRequest): Promise<Capture>;
  /** `limitMs`: after that nobody waits for it any more. What the app is doing then is not interrupted. */
  invoke(binding: string, args: ActionArguments, signal: AbortSignal, limitMs?: number): Promise<ActionOutcome>;
  /** At the next capture the code of this action is looked at before that of others. Absent: all are judged at once. */
  judgeFirst?(binding: string): void;
  /** What the app threw outside of the last call of `invoke`, soon after it, where that can be seen; null: nothing. */
  takeThrown?(): string | null;
  /** Resolves soon after something changed in the app, where the app can tell; a capture then shows what. */
  changed?(signal: AbortSignal): Promise<void>;
  /** Parts of it that do not work in this app, and the exceptions that its agent dropped. */
  health?(): ProbeHealth;
  /** Settles when the connection to the target is lost, for whatever reason. */
  readonly closed: Promise<void>;
  /** Undoes everything that the attach did. Never throws, bounded in time. */
  detach(): Promise<void>;
}
