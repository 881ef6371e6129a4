/** The age of a time: `now`, `12 s ago`, `3 min ago`, `2 h ago`. */
export function ageOf(time: string | number, nowMs = Date.now()): string {
  const seconds = Math.floor((nowMs - (typeof time === 'number' ? time : Date.parse(time))) / 1000);
  if (seconds < 2) return 'now';
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  return `${Math.floor(seconds / 3600)} h ago`;
}
