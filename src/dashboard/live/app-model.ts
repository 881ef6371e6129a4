/** What the views know of the selected app. `live-app.ts` keeps it up to date. */
import { useLayoutEffect, useReducer } from 'preact/hooks';
import type { AppSummary, Scalar, Substrate, SubstrateState } from '../../client/index.ts';

export interface CaptureNote {
  readonly captureId: string;
  readonly capturedAt: string;
  /** How many keys differ from the one before; null for the first that was seen. */
  readonly changedCount: number | null;
  /** A few of them: all, of all captures, may be more than a page can hold. */
  readonly changedKeys: readonly string[];
}

/** The selected app, kept up to date by watch + diff: nothing is fetched twice, cost follows what changed. */
export interface AppModel {
  readonly substrate: Substrate;
  readonly pid: number;
  readonly summary: AppSummary | null;
  /** Of the latest capture. Null until the first state is there; `problem` tells why it is not. */
  readonly state: Omit<SubstrateState, 'objects'> | null;
  /** The latest value of every key. */
  readonly values: ReadonlyMap<string, Scalar>;
  readonly problem: string | null;
  /** Newest last, bounded (300): every capture seen since the page was opened. */
  readonly captures: readonly CaptureNote[];
  /** Called after each change with the keys that changed (null: everything). Returns how to stop. */
  subscribe(listener: (changedKeys: readonly string[] | null) => void): () => void;
  /** Looks at the app now. */
  refresh(): Promise<void>;
}

/** Re-renders when the model changed. */
export function useModel(model: { subscribe(listener: () => void): () => void }): void {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useLayoutEffect(() => model.subscribe(() => redraw(undefined)), [model]);
}
