/** An action on its way to the app: the request, its sender, and the confirmation of a person. */
import type { AppIdentity } from '../model/permissions.ts';
import type { ActionRequest } from '../model/wire.ts';
import type { Action } from '../semantic/actions.ts';
import type { Predicate } from '../semantic/predicate/predicate.ts';
import type { CallOptions } from './service.ts';
import type { Session } from './session.ts';

export interface ActionCall {
  readonly request: ActionRequest;
  readonly predicate: Predicate | null;
  readonly session: Session;
  readonly app: AppIdentity;
  readonly options: CallOptions;
  /** A capture: the action is refused if anything that it reads has changed since. */
  readonly ifMatch: string | null;
  /** Null if no confirmation was needed. */
  readonly confirmed: Confirmation | null;
  /** Called when all checks have passed, right before the app is touched. */
  readonly onDispatch: (action: Action) => void;
}

/**
 * The action as a person saw it before agreeing. Only this may run: meanwhile the name can be bound to another method.
 */
export interface Confirmation {
  /** The key of the person. */
  readonly by: string;
  readonly shown: ShownAction;
}

export interface ShownAction {
  readonly binding: string;
  readonly reversibility: string;
  readonly signature: string;
}

export function shownAction({ binding, schema: { reversibility, signature } }: Action): ShownAction {
  return { binding, reversibility, signature };
}

/** Each difference in words; empty if the action is still the one that was shown. */
export function differencesFrom(shown: ShownAction, now: ShownAction): string[] {
  return [
    ...(shown.binding === now.binding ? [] : [`it called ${shown.binding}, and would call ${now.binding} now`]),
    ...(shown.reversibility === now.reversibility
      ? []
      : [`it was ${shown.reversibility}, and is ${now.reversibility} now`]),
    ...(shown.signature === now.signature ? [] : [`it was ${shown.signature}, and is ${now.signature} now`]),
  ];
}
