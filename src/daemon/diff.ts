/** The changes between two captures, as clients see them. */
import type { DiffResponse } from '../model/wire.ts';
import type { Change } from '../semantic/state-table.ts';

interface Captures {
  readonly pid: number;
  readonly appId: string;
  readonly since: string;
  readonly captureId: string;
}

export function diffOf(changes: readonly Change[], { pid, appId, since, captureId }: Captures): DiffResponse {
  const result: DiffResponse = {
    pid,
    app_id: appId,
    capture_id: captureId,
    prev_capture_id: since,
    changed: [],
    added: [],
    removed: [],
  };
  for (const { key, before, after } of changes) {
    if (before !== undefined && after !== undefined) result.changed.push({ path: key, before, after });
    else if (after !== undefined) result.added.push({ path: key, value: after });
    else if (before !== undefined) result.removed.push({ path: key, value: before });
  }
  return result;
}
