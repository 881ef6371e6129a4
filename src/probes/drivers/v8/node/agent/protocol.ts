/** The protocol between the daemon and the agent inside a Node process. Both sides import this file. */

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
  /** Created in the target's temporary folder; removed once the daemon is connected. */
  folderName: string;
  /** The inspector was opened for us: close it once the socket listens, and on every failure. */
  closeInspector: boolean;
  /** Packages that belong to the program, besides the one that runs. */
  product: string[];
}

export type AgentRequest =
  | { id: number; op: 'capture'; full: boolean; deep: boolean; isAsked?: boolean }
  | { id: number; op: 'invoke'; binding: string; args: unknown[]; indices: number[] }
  | { id: number; op: 'extension'; request: unknown }
  | { id: number; op: 'dispose' };

/** Sent without a request: an `AgentNotice`, or a message of an extension. */
export interface AgentPush {
  push: unknown;
}

/** The app threw outside of the call of an action, soon after it. */
export interface AgentNotice {
  op: 'thrown';
  text: string;
}

/**
 * An addition for one kind of Node process (Electron: the way to its windows). Its source is evaluated with the agent.
 */
export interface AgentExtension {
  answer(request: unknown): Promise<unknown>;
  /** Actions besides the methods of the state. */
  actions(): ExtensionAction[];
  /** Objects that lead to functions of the app, besides those of every Node process. */
  roots(): unknown[];
  /** The main file of the app; null if the command line names it. */
  mainScript(): string | null;
  /** Undoes everything; never throws. */
  dispose(): void;
}

export interface ExtensionAction {
  /** As in an `AgentAction`. */
  binding: string;
  fn: (...args: unknown[]) => unknown;
  /** Number of leading parameters that the caller does not pass. */
  given: number;
  /** Their values, created anew for each call. */
  makeGiven(): unknown[];
}

export interface ExtensionTools {
  load<Module>(name: string): Module;
  /** Sends a message to the daemon; does nothing while it is not connected. */
  push(message: unknown): void;
}

export type MakeExtension = (tools: ExtensionTools) => AgentExtension;

export interface CaptureResult {
  leaves: LeafUpdate;
  roots: LeafRoot[] | null;
  actions: AgentAction[] | null;
  rawCount: number;
  coverage: number;
  /** How long the app's thread was occupied, in ms. */
  costMs: number;
  stoppedBy: BudgetPart | null;
  /** The central objects of the program that the state does not have. */
  unseen: Unseen;
  /** The objects nearest to the app were not all inspected yet: the next captures continue. */
  isSearching: boolean;
  /** So much is left that anything may be missing. */
  hasMuchLeft: boolean;
  /** An event in the app that reveals more state, or null. */
  waitsFor: string | null;
  /** The whole heap was searched for objects. */
  heapScanned: boolean;
  /** Exceptions that the agent dropped so far, by place; absent if unchanged. */
  discarded?: Record<string, number>;
}

/** A method as found by the agent; the daemon reads parameters and effects from its source. */
export interface AgentAction {
  /** Path of the holder with `[*]` for indices, `#`, method name. */
  binding: string;
  /** Source text of the function, cut at SOURCE_LIMIT. */
  source: string;
  /** Accessors that it may use. */
  accessors: Accessor[];
  className: string | null;
  /** Number of leading parameters that the caller does not pass. */
  given: number;
}

export interface InvokeResult {
  ok: boolean;
  /** False if nothing was called. */
  dispatched: boolean;
  /** Its result or exception, in short. */
  text: string;
}
