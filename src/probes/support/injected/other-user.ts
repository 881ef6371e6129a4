/** A runtime takes attaches only from its own user; and only root sees what the processes of others are. */
import type { ProcessInspector, ProcessRef } from '../../../model/process.ts';

export function isOfOtherUser(ref: ProcessRef, inspect: ProcessInspector): boolean {
  const own = process.geteuid?.();
  const uid = inspect.details(ref)?.effectiveUid;
  return own !== undefined && uid !== undefined && own !== 0 && own !== uid;
}
