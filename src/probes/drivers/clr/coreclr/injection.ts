import type { AttachError } from '../../../probe.ts';

/** The runtime was told to load the agent, which will come. */
export interface Injection {
  /** True: the runtime may not have looked at the files yet, and harms its program when it does not find them. */
  readonly needsFiles: boolean;
  /** Why the agent did not come; it may have said so itself. */
  failed(): AttachError;
  /** What was there only for the load is removed. Never throws. */
  done(): void;
}
