/** What the daemon and the agent inside a Node process say to each other. Both sides import this file. */

import type { BudgetPart, ProbeBudget } from '../../../../../model/budget.ts';
import type { LeafRoot, LeafUpdate } from '../../../../../model/leaves.ts';
import type { Accessor } from '../../tree/accessors.ts';
import type { Unseen } from './alive.ts';

export interface CaptureOptions {
  maxKeys: number;
  budget: ProbeBudget;
  heapScan: boolean;
  heapScanMaxMb: number;
}

export interface AgentOptions extends CaptureOptions {
  /** Made in the target's folder for temporary files; gone again once the daemon is connected. */
  folderName: string;
  /** The inspector was opened for us: close it when the socket stands, and on every failure. */
  closeInspector: boolean;
  /** Packages that are the program, too, beside the one that runs. */
  product: string[];
}

export type AgentRequest =
  | { id: number; op: 'capture'; full: boolean; deep: boolean; isAsked?: boolean }
  | { id: number; op: 'invoke'; binding: string; args: unknown[]; indices: number[] }
  | { id: number; op: 'extension'; request: unknown }
  | { id: number; op: 'dispose' };

/** Sent without being asked: an `AgentNotice`, or what an extension says. */
export interface AgentPush {
  push: unknown;
}

/** The app threw something outside of the call of an action, soon after it. */
export interface AgentNotice {
  op: 'thrown';
  text: string;
}

/** What a kind of Node process needs besides (Electron: the way to its windows). Its source is evaluated with the agent. */
export interface AgentExtension {
  answer(request: unknown): Promise<unknown>;
  /** What can be called besides the methods of the state. */
  actions(): ExtensionAction[];
  /** Objects that lead to functions of the app, besides those that every Node process has. */
  roots(): unknown[];
  /** The file that the app starts with; null: as the command line says. */
  mainScript(): string | null;
  /** Undoes everything; never throws. */
  dispose(): void;
}

export interface ExtensionAction {
  /** As of an `AgentAction`. */
  binding: string;
  fn: (...args: unknown[]) => unknown;
  /** How many of the first parameters are not the caller's to give. */
  given: number;
  /** Those, made anew for each call. */
  makeGiven(): unknown[];
}

export interface ExtensionTools {
  load<Module>(name: string): Module;
  /** Says something to the daemon; nothing while it is not connected. */
  push(message: unknown): void;
}

export type MakeExtension = (tools: ExtensionTools) => AgentExtension;

export interface CaptureResult {
  leaves: LeafUpdate;
  roots: LeafRoot[] | null;
  actions: AgentAction[] | null;
  rawCount: number;
  coverage: number;
  /** How long the app's thread was held for it, in ms. */
  costMs: number;
  stoppedBy: BudgetPart | null;
  /** What the program is about, and the state does not have. */
  unseen: Unseen;
  /** What is nearest to the app was not all looked at yet: the next captures go on. */
  isSearching: boolean;
  /** So much of it that anything may be missing. */
  hasMuchLeft: boolean;
  /** What must happen in the app before more of it can be seen; null: nothing. */
  waitsFor: string | null;
  /** Objects were looked for in the whole heap. */
  heapScanned: boolean;
  /** Exceptions that the agent dropped so far, by place; absent: as last time. */
  discarded?: Record<string, number>;
}

/** A method as the agent finds it; the daemon reads parameters and effects from its source. */
export interface AgentAction {
  /** Path of the holder with `[*]` for indices, `#`, method name. */
  binding: string;
  /** Source text of the function, cut at SOURCE_LIMIT. */
  source: string;
  /** What it may read or write that is code itself. */
  accessors: Accessor[];
  className: string | null;
  /** How many of the first parameters are not the caller's to give. */
  given: number;
}

export interface InvokeResult {
  ok: boolean;
  /** False: nothing was called. */
  dispatched: boolean;
  /** What it returned or threw, in short. */
  text: string;
}
