/** What the tools ask: the daemon, and beside its API what only those in its own process can have. */
import type { ActionOptions, ActionResponse, App, Substrate } from '../client/index.ts';
import type { ActionEffect, StateLook } from '../model/state-look.ts';

export interface Apps {
  readonly substrate: Substrate;
  /** There may be other hosts. */
  readonly isInFleet: boolean;
  /** Whose time long work takes: see model/in-slices.ts. */
  readonly owner: string;
  /** A look at a state, of which only what is told has to be touched. */
  look(app: App, options: { readonly fresh: boolean; readonly signal: AbortSignal }): Promise<StateLook>;
  act(
    app: App,
    action: string,
    parameters: Readonly<Record<string, unknown>>,
    options: ActionOptions,
  ): Promise<ActionResponse & { readonly effect: ActionEffect | null }>;
}
