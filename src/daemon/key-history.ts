/** The values of some keys over the kept captures. */
import type { HistoryResponse } from '../model/wire.ts';
import type { Point } from './history.ts';
import type { Session } from './session.ts';

/** The limit of all keys together; the oldest points are left out. */
const MAX_POINTS = 10_000;
const MAX_CHARACTERS = 200;

export function historyOf(session: Session, keys: readonly string[]): HistoryResponse {
  const { captureId, capturedAt } = session.handOut();
  const unique = [...new Set(keys)];
  const points = session.history.pointsOf(unique, (key) => session.engine.table.get(key));
  const most = Math.floor(MAX_POINTS / unique.length);
  return {
    pid: session.process.pid,
    app_id: session.appId,
    capture_id: captureId,
    from: isoTime(session.history.sinceMs ?? Date.parse(capturedAt)),
    to: capturedAt,
    series: [...points].map(([key, all]) => ({ key, points: isKnown(all) ? all.slice(-most).map(pointOf) : [] })),
  };
}

/** True if it existed at least once. */
function isKnown(points: readonly Point[]): boolean {
  return points.some(({ value }) => value !== undefined);
}

function pointOf({ atMs, value }: Point) {
  return { at: isoTime(atMs), ...(value === undefined ? {} : { value: shortened(value) }) };
}

function shortened(value: NonNullable<Point['value']> | null) {
  return typeof value === 'string' && value.length > MAX_CHARACTERS ? `${value.slice(0, MAX_CHARACTERS)}…` : value;
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
