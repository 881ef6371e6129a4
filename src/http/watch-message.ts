/**
 * A notification for all watchers of a process. Its list of changed keys can be as long as the state, so that part is
 * serialised once, and each watcher adds its own fields.
 */
import type { Unmatched, WatchEvent } from '../daemon/service.ts';
import type { WatchMessage as WireMessage } from '../model/wire.ts';

export class WatchMessage {
  readonly captureId: string;
  private readonly event: WatchEvent;
  private readonly head: string;
  private tail: string | null = null;

  constructor(pid: number, event: WatchEvent) {
    this.captureId = event.captureId;
    this.event = event;
    const fields = { pid, app_id: event.appId, capture_id: event.captureId };
    this.head = JSON.stringify(fields).slice(0, -1);
  }

  text(previousCaptureId: string | null, sequence: number): string {
    this.tail ??= tailOf(this.event);
    const previous = JSON.stringify(previousCaptureId);
    return `${this.head},"prev_capture_id":${previous},"sequence":${sequence}${this.tail}`;
  }
}

function tailOf({ changedKeys, timestamp }: WatchEvent): string {
  return `,"changed_keys":${JSON.stringify(changedKeys)},"timestamp":${JSON.stringify(timestamp)}}\n`;
}

/** Not a change: it has the number 0, and the first change has 1. */
export function unmatchedText(pid: number, { appId, captureId, globs }: Unmatched): string {
  const message: WireMessage = {
    pid,
    app_id: appId,
    capture_id: captureId,
    prev_capture_id: null,
    sequence: 0,
    changed_keys: [],
    timestamp: new Date().toISOString(),
    unmatched: globs.map(({ glob, nearest }) => ({ glob, nearest: [...nearest] })),
  };
  return `${JSON.stringify(message)}\n`;
}
