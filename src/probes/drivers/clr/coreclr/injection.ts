import type { AttachError } from '../../../probe.ts';

/** The runtime was asked to load the agent, which will connect. */
export interface Injection {
  /** True if the runtime may not have opened the files yet, and harms its program when it does not find them. */
  readonly needsFiles: boolean;
  /** The reason why the agent did not connect; the agent may have reported it itself. */
  failed(): AttachError;
  /** Removes files that were needed only for the load. Never throws. */
  done(): void;
}
