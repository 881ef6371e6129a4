/** A view of a state in place, for callers in the daemon's own process that need little of it. */
import type { Scalar } from './scalar.ts';
import type { SubstrateState } from './wire.ts';

/** Keys in their order, and by pattern (`items[*].name`), which all elements of a list have in common. */
export class KeyList {
  readonly keys: string[] = [];
  /** The positions of the keys of each pattern, in order. */
  readonly places = new Map<string, number[]>();

  add(key: string, pattern: string): void {
    const places = this.places.get(pattern);
    if (places) places.push(this.keys.length);
    else this.places.set(pattern, [this.keys.length]);
    this.keys.push(key);
  }
}

export interface KeyChange {
  readonly key: string;
  /** Undefined if the key did not exist. */
  readonly before: Scalar | undefined;
  /** Undefined if the key is gone. */
  readonly after: Scalar | undefined;
}

/** The changes by an action, for callers in the daemon's own process, in addition to the public answer. */
export interface ActionEffect {
  /** The capture before the action. */
  readonly since: string;
  readonly urlBefore: string | null;
  readonly changes: readonly KeyChange[];
  /** Actions that did not exist before. */
  readonly appeared?: readonly string[];
}

export type StateFacts = Pick<
  SubstrateState,
  'pid' | 'app_id' | 'app_name' | 'schema_version' | 'confidence' | 'confidence_reason' | 'capture_id' | 'context'
>;

export interface StateLook {
  /** Facts of the moment of the look. Values are read when asked for, so they are never older. */
  readonly facts: StateFacts;
  readonly keys: Pick<KeyList, 'keys' | 'places'>;
  get(key: string): Scalar | undefined;
  /** False for noise, which is only shown on request. */
  isShown(key: string): boolean;
  /** True if this root is the content of a window or a page. */
  isScreen(root: string): boolean;
  /** From 0 to 1: how much it matters to the user of the app. */
  salience(key: string): number;
  hasAction(name: string): boolean;
  /** Actions with the text of their controls. */
  actionTexts(): Iterable<readonly [name: string, description: string]>;
  /** Actions that are not on the screen now, each with the one that opens it, as observed. */
  closedActions(): readonly (readonly [string, string])[];
}
