/** Compares the output of two runs, without the parts that always differ. */

/** A slow test prints its time, a quick one does not. */
const TIME_BESIDE = / *\(\d+(?:\.\d+)? ?m?s\)|, estimated \d+(?:\.\d+)? ?m?s/g;
const TIME = /\b\d+(?:\.\d+)? ?(?:ms|s|m|min)\b/g;

export function withoutTimes(text: string): string {
  return text.replace(TIME_BESIDE, '').replace(TIME, '<time>');
}

/**
 * `before`: its output without the daemon, at least twice. Lines that were not in all of them do not count; a line that
 * was in none does.
 */
export function isSameOutput(before: readonly string[], now: string, isUnordered: boolean): boolean {
  const texts = before.map(withoutTimes);
  const unsteady = unsteadyLines(texts);
  const plain = (text: string, sort: boolean) => {
    const lines = text.split('\n').filter((line) => !unsteady.has(line));
    return (sort ? lines.sort() : lines).join('\n');
  };
  const isSorted = isUnordered || new Set(texts.map((text) => plain(text, false))).size > 1;
  return plain(withoutTimes(now), isSorted) === plain(texts[0] ?? '', isSorted);
}

function unsteadyLines(texts: readonly string[]): ReadonlySet<string> {
  const counts = texts.map((text) => {
    const count = new Map<string, number>();
    for (const line of text.split('\n')) count.set(line, (count.get(line) ?? 0) + 1);
    return count;
  });
  const all = new Set(counts.flatMap((count) => [...count.keys()]));
  return new Set([...all].filter((line) => new Set(counts.map((count) => count.get(line))).size > 1));
}
