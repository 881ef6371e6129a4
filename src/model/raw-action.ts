import type { TypeName } from './scalar.ts';

/** An action that the probe can call, before the semantic engine has judged it. */
export interface RawAction {
  /** Identifies the target inside the probe; stable while the app runs the same code. */
  readonly binding: string;
  /** `cart.addItem`: its place in the state, and its own name. */
  readonly name: string;
  readonly parameters: readonly RawParameter[];
  readonly returns: TypeName | 'void' | 'unknown';
  readonly effect: Effect;
  readonly description: string;
}

export interface RawParameter {
  readonly name: string;
  /** Null if the runtime does not know; `any` if it accepts several types. */
  readonly type: TypeName | 'any' | null;
  readonly required: boolean;
  readonly description?: string;
  /** The runtime knows its types and checks values before anything runs, so null and numbers as text are left to it. */
  readonly isChecked?: boolean;
}

/**
 * The runtime's knowledge of a call's effects: `none` and `setter` are proven, the others are not. `control`: a control
 * of the user interface, best judged by its name. `look`: a control that only changes the view, whatever its name (a
 * link within the site, a tab, a toggle of a part, a sort order). `unjudged`: its code was not analysed yet.
 */
export type Effect = CodeEffect | 'control' | 'look' | 'unjudged';

/** The effects that are derived from code. */
export type CodeEffect = 'none' | 'setter' | 'own-state' | 'unknown';

/** From the least to the most severe. */
const SEVERITY: readonly Effect[] = ['none', 'look', 'setter', 'control', 'own-state', 'unknown'];

/** The most severe of them, or `unknown` if there are none. */
export function worstEffect<Of extends Effect>(effects: readonly Of[]): Of | 'unknown' {
  let worst: Of | undefined;
  for (const effect of effects)
    if (worst === undefined || SEVERITY.indexOf(effect) > SEVERITY.indexOf(worst)) worst = effect;
  return worst ?? 'unknown';
}

export type ActionArguments = Readonly<Record<string, unknown>>;

/** The method of a Java program that ran. */
export interface InvocationContext {
  readonly class: string;
  readonly method: string;
  readonly descriptor: string;
  /** Null for a static method. */
  readonly instance: string | null;
  readonly thread: string;
}

export interface ActionOutcome {
  /** False if the app itself threw. */
  readonly ok: boolean;
  readonly message: string;
  /** The page refused it before anything was done. */
  readonly wasRefused?: true;
  /** JSON-able. JVM and CLR only; null for V8. */
  readonly rawReturn: unknown;
  /** The returned value as the message quotes it, where `rawReturn` lacks it (V8). */
  readonly quoted?: string;
  readonly invocationContext: InvocationContext | null;
}

/** The time limit of an action: slightly less than that of its request, so that the outcome can still be reported. */
export const ACTION_LIMIT_MS = 118_000;
