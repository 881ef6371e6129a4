/** A runtime accepts attaches only from its own user, and only root can read the processes of others. */
import type { ProcessInspector, ProcessRef } from '../../../model/process.ts';

export function isOfOtherUser(ref: ProcessRef, inspect: ProcessInspector): boolean {
  const own = process.geteuid?.();
  const uid = inspect.details(ref)?.effectiveUid;
  return own !== undefined && uid !== undefined && own !== 0 && own !== uid;
}
