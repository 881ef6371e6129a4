/** The interface of the tools to the daemon: its API, and parts that are only available in its own process. */
import type { ActionOptions, ActionResponse, App, Substrate } from '../client/index.ts';
import type { ActionEffect, StateLook } from '../model/state-look.ts';

export interface Apps {
  readonly substrate: Substrate;
  /** Other hosts may be available. */
  readonly isInFleet: boolean;
  /** The owner of long work: see model/in-slices.ts. */
  readonly owner: string;
  /** A view of a state; only the reported part is read. */
  look(app: App, options: { readonly fresh: boolean; readonly signal: AbortSignal }): Promise<StateLook>;
  act(
    app: App,
    action: string,
    parameters: Readonly<Record<string, unknown>>,
    options: ActionOptions,
  ): Promise<ActionResponse & { readonly effect: ActionEffect | null }>;
}
