/** Parses times as people type them: `30d`, `12h`, `14:03`, or a date. */
const SPAN = /^(\d{1,6})([smhdw])$/;
const CLOCK = /^(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/;
const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `direction`: 1 for the future, -1 for the past. NaN if it is no time. */
export function parseTime(text: string, direction: 1 | -1): number {
  const [, count, unit = ''] = SPAN.exec(text) ?? [];
  if (count !== undefined) return Date.now() + direction * Number(count) * (UNIT_MS[unit] ?? 0);
  return CLOCK.test(text) ? nearestClock(text, direction) : Date.parse(text);
}

/** By the clock of this machine: the last time that it was or the next time that it will be this late. */
function nearestClock(text: string, direction: 1 | -1): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number);
  const now = new Date();
  const onDay = (days: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hours, minutes, seconds).getTime();
  const today = onDay(0);
  return Math.sign(today - now.getTime()) === -direction ? onDay(direction) : today;
}
