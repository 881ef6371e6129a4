import type { TypeName } from './scalar.ts';

/** Something the probe can call, before the semantic engine has judged it. */
export interface RawAction {
  /** Names the target inside the probe; stable while the app runs the same code. */
  readonly binding: string;
  /** `cart.addItem`: where it hangs in the state, and its own name. */
  readonly name: string;
  readonly parameters: readonly RawParameter[];
  readonly returns: TypeName | 'void' | 'unknown';
  readonly effect: Effect;
  readonly description: string;
}

export interface RawParameter {
  readonly name: string;
  /** null: the runtime does not tell; `any`: it takes values of several types. */
  readonly type: TypeName | 'any' | null;
  readonly required: boolean;
  readonly description?: string;
  /** The runtime knows its types and checks values before anything runs: null, and a number as text, are left to it. */
  readonly isChecked?: boolean;
}

/**
 * What the runtime knows of a call's effects: `none` and `setter` are proven, the rest is not. `control`: a control of
 * the user interface, of which its name says more than anything else. `look`: one that is made to change what is shown
 * (a link within the site, a tab, what opens and closes a part, what sorts), whatever it is called. `unjudged`: its code
 * was not looked at yet.
 */
export type Effect = CodeEffect | 'control' | 'look' | 'unjudged';

/** The effects that are derived from code. */
export type CodeEffect = 'none' | 'setter' | 'own-state' | 'unknown';

/** From the least to the most. */
const SEVERITY: readonly Effect[] = ['none', 'look', 'setter', 'control', 'own-state', 'unknown'];

/** The most that one of them does is what all may do. Without any, nothing is known. */
export function worstEffect<Of extends Effect>(effects: readonly Of[]): Of | 'unknown' {
  let worst: Of | undefined;
  for (const effect of effects)
    if (worst === undefined || SEVERITY.indexOf(effect) > SEVERITY.indexOf(worst)) worst = effect;
  return worst ?? 'unknown';
}

export type ActionArguments = Readonly<Record<string, unknown>>;

/** Which method of a Java program really ran. */
export interface InvocationContext {
  readonly class: string;
  readonly method: string;
  readonly descriptor: string;
  /** Null for a static method. */
  readonly instance: string | null;
  readonly thread: string;
}

export interface ActionOutcome {
  /** False when the app itself threw. */
  readonly ok: boolean;
  readonly message: string;
  /** The page refused it before anything was done. */
  readonly wasRefused?: true;
  /** JSON-able; JVM and CLR only, null for V8. */
  readonly rawReturn: unknown;
  /** What came back as the message quotes it, where `rawReturn` does not have it (V8). */
  readonly quoted?: string;
  readonly invocationContext: InvocationContext | null;
}

/** What an action may take: a little less than its request has, so that what came of it is still told. */
export const ACTION_LIMIT_MS = 118_000;
