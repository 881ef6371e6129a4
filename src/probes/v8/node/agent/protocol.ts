/** What the daemon and the agent inside a Node process say to each other. Both sides import this file. */
import type { LeafRoot, LeafUpdate } from '../../../../model/leaves.ts';

export interface AgentOptions {
  maxKeys: number;
  heapScan: boolean;
  heapScanMaxMb: number;
  /** Made in the target's folder for temporary files; gone again once the daemon is connected. */
  folderName: string;
  /** The inspector was opened for us: close it when the socket stands, and on every failure. */
  closeInspector: boolean;
}

export type AgentRequest =
  | { id: number; op: 'capture'; full: boolean; deep: boolean }
  | { id: number; op: 'invoke'; binding: string; args: unknown[]; indices: number[] }
  | { id: number; op: 'dispose' };

export interface CaptureResult {
  leaves: LeafUpdate;
  roots: LeafRoot[] | null;
  actions: AgentAction[] | null;
  rawCount: number;
  coverage: number;
  /** Objects were looked for in the whole heap. */
  heapScanned: boolean;
}

/** A method as the agent finds it; the daemon reads parameters and effects from its source. */
export interface AgentAction {
  /** Path of the holder with `[*]` for indices, `#`, method name. */
  binding: string;
  /** Source text of the function, cut at SOURCE_LIMIT. */
  source: string;
  className: string | null;
}

export interface InvokeResult {
  ok: boolean;
  /** False: nothing was called. */
  dispatched: boolean;
  /** What it returned or threw, in short. */
  text: string;
}
