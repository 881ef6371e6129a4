/** The views' model of the selected app. `live-app.ts` keeps it up to date. */
import { useLayoutEffect, useReducer } from 'preact/hooks';
import type { AppSummary, Scalar, Substrate, SubstrateState } from '../../client/index.ts';

export interface CaptureNote {
  readonly captureId: string;
  readonly capturedAt: string;
  /** Number of keys that differ from the previous capture; null for the first. */
  readonly changedCount: number | null;
  /** Only a few: all keys of all captures may be more than a page can hold. */
  readonly changedKeys: readonly string[];
}

/**
 * The selected app, kept up to date by watch and diff: nothing is fetched twice, and the cost depends on the changes.
 */
export interface AppModel {
  readonly substrate: Substrate;
  readonly pid: number;
  readonly summary: AppSummary | null;
  /** The latest capture without its values. Null until the first state has arrived; `problem` has the reason. */
  readonly state: Omit<SubstrateState, 'objects'> | null;
  /** The latest value of every key. */
  readonly values: ReadonlyMap<string, Scalar>;
  readonly problem: string | null;
  /** Newest last, at most 300: every capture since the page was opened. */
  readonly captures: readonly CaptureNote[];
  /**
   * Calls the listener after each change with the changed keys (null for everything). Returns a function that
   * unsubscribes.
   */
  subscribe(listener: (changedKeys: readonly string[] | null) => void): () => void;
  /** Captures the app now. */
  refresh(): Promise<void>;
}

/** Re-renders when the model has changed. */
export function useModel(model: { subscribe(listener: () => void): () => void }): void {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useLayoutEffect(() => model.subscribe(() => redraw(undefined)), [model]);
}
