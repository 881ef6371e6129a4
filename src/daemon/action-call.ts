/** An action on its way to the app: what was asked for, by whom, and what a person agreed to. */
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
  /** A capture since which nothing that the action reads may have changed. */
  readonly ifMatch: string | null;
  /** Null: nobody was asked. */
  readonly confirmed: Confirmation | null;
  /** Called when every gate is open, right before the app is touched. */
  readonly onDispatch: (action: Action) => void;
}

/** What a person saw before agreeing. Only this may run: the name alone can be bound to another method meanwhile. */
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

/** Each difference in words; empty when the action is still the one that was shown. */
export function differencesFrom(shown: ShownAction, now: ShownAction): string[] {
  return [
    ...(shown.binding === now.binding ? [] : [`it called ${shown.binding}, and would call ${now.binding} now`]),
    ...(shown.reversibility === now.reversibility
      ? []
      : [`it was ${shown.reversibility}, and is ${now.reversibility} now`]),
    ...(shown.signature === now.signature ? [] : [`it was ${shown.signature}, and is ${now.signature} now`]),
  ];
}
