/**
 * Runtimes that were asked to load the agent and have not answered yet: they may do it at any time, and a runtime that
 * does not find the file then ends its program. So the files stay where they are, and no other way is tried.
 */
import type { ProcessRef } from '../../../model/process.ts';
import type { AttachError } from '../../probe.ts';

/** Thrown through an attach, which then leaves everything as it is. */
export class StillPending extends Error {
  readonly reason: AttachError;

  constructor(reason: AttachError) {
    super(reason.message);
    this.reason = reason;
  }
}

const pending = new Map<string, number>();
const keyOf = ({ pid, startTime }: ProcessRef) => `${pid}:${startTime}`;

export function isPending(ref: ProcessRef): boolean {
  return (pending.get(keyOf(ref)) ?? 0) > performance.now();
}

/** `forMs`: how long at most. */
export function setPending(ref: ProcessRef, forMs = Number.POSITIVE_INFINITY): void {
  pending.set(keyOf(ref), performance.now() + forMs);
}

export function clearPending(ref: ProcessRef): void {
  pending.delete(keyOf(ref));
}
