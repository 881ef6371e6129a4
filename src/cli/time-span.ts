/** Parses times as people type them: `30d`, `12h`, or a date. */
const SPAN = /^(\d{1,6})([mhdw])$/;
const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `direction`: 1 for the future, -1 for the past. NaN if it is no time. */
export function parseTime(text: string, direction: 1 | -1): number {
  const [, count, unit = ''] = SPAN.exec(text) ?? [];
  return count === undefined ? Date.parse(text) : Date.now() + direction * Number(count) * (UNIT_MS[unit] ?? 0);
}
