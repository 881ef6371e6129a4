/** A state that is read where it is: for those in the daemon's own process, who want little of it. */
import type { Scalar } from './scalar.ts';
import type { SubstrateState } from './wire.ts';

/** Keys in their order, and by pattern: all elements of a list have one in common (`items[*].name`). */
export class KeyList {
  readonly keys: string[] = [];
  /** Where the keys of each pattern stand among all, in order. */
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
  /** undefined: the key was not there. */
  readonly before: Scalar | undefined;
  /** undefined: the key is gone. */
  readonly after: Scalar | undefined;
}

/** What an action has changed: for those in the daemon's own process, beside what others are told. */
export interface ActionEffect {
  /** The capture before it. */
  readonly since: string;
  readonly urlBefore: string | null;
  readonly changes: readonly KeyChange[];
  /** Actions that were not there before. */
  readonly appeared?: readonly string[];
}

export type StateFacts = Pick<
  SubstrateState,
  'pid' | 'app_id' | 'app_name' | 'schema_version' | 'confidence' | 'confidence_reason' | 'capture_id' | 'context'
>;

export interface StateLook {
  /** Of the moment of the look. Values are those of the moment in which they are asked for, so never older. */
  readonly facts: StateFacts;
  readonly keys: Pick<KeyList, 'keys' | 'places'>;
  get(key: string): Scalar | undefined;
  /** False: it is noise that is shown only when it is asked for. */
  isShown(key: string): boolean;
  /** Whether what begins with this step is what a window or a page shows. */
  isScreen(root: string): boolean;
  /** From 0 to 1: how much it matters to the user of the app. */
  salience(key: string): number;
  hasAction(name: string): boolean;
  /** What can be done, with what the control shows. */
  actionTexts(): Iterable<readonly [name: string, description: string]>;
  /** Actions that are not on the screen now, each with the one that was seen to open it. */
  closedActions(): readonly (readonly [string, string])[];
}
