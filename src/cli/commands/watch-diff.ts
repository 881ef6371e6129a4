/** The changes of an app since the last request. */
import { type DiffResponse, type Substrate, SubstrateError, type SubstrateState } from '../../client/node.ts';

export interface Follower {
  takeState(state: SubstrateState): void;
  /** Null if they are no longer known, as after a restart of the daemon; later changes count from `captureId`. */
  next(captureId: string): Promise<DiffResponse | null>;
}

export function follow(substrate: Substrate, pid: number, keys: readonly string[]): Follower {
  return keys.length === 0 ? followAll(substrate, pid) : followPart(substrate, pid, keys);
}

/** Requests differences only, because a state may be large. */
function followAll(substrate: Substrate, pid: number): Follower {
  let since: string | null = null;
  return {
    takeState({ capture_id }) {
      since = capture_id;
    },
    async next(captureId) {
      const diff = since === null ? null : await differences(substrate, pid, since);
      since = diff?.capture_id ?? captureId;
      return diff;
    },
  };
}

async function differences(substrate: Substrate, pid: number, since: string): Promise<DiffResponse | null> {
  try {
    return await substrate.diff(pid, since);
  } catch (error) {
    if (error instanceof SubstrateError && error.code === 'capture_not_found') return null;
    throw error;
  }
}

/** Reads and compares the part itself: it may rest for so long that the daemon no longer has its old values. */
function followPart(substrate: Substrate, pid: number, keys: readonly string[]): Follower {
  let last: SubstrateState | null = null;
  return {
    takeState(state) {
      last = state;
    },
    async next() {
      const state = await substrate.state(pid, { keys });
      const diff = last && difference(last, state);
      last = state;
      return diff;
    },
  };
}

function difference(before: SubstrateState, after: SubstrateState): DiffResponse {
  const { pid, app_id, capture_id } = after;
  const old = new Map(Object.entries(before.objects));
  const diff: DiffResponse = {
    ...{ pid, app_id, capture_id, prev_capture_id: before.capture_id },
    ...{ changed: [], added: [], removed: [] },
  };
  for (const [path, value] of Object.entries(after.objects)) {
    const known = old.get(path);
    if (known === undefined) diff.added.push({ path, value });
    else if (known !== value) diff.changed.push({ path, before: known, after: value });
    old.delete(path);
  }
  for (const [path, value] of old) diff.removed.push({ path, value });
  return diff;
}
