import { describe, expect, it } from 'vitest';
import { outline as steps } from '../../../src/mcp/outline.ts';
import { globMatcher } from '../../../src/model/glob.ts';
import { pathPattern } from '../../../src/model/path.ts';

const MOST = 80;
const list = (length: number, key: (at: number) => string) => Array.from({ length }, (_, at) => key(at));

function outline(keys: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(pathPattern(key), (counts.get(pathPattern(key)) ?? 0) + 1);
  const made = steps(counts, MOST);
  for (let step = made.next(); ; step = made.next()) if (step.done) return step.value;
}

describe('an outline', () => {
  it('has what the keys begin with, the most first', () => {
    expect(outline(['cart.a', 'visits', 'cart.b[0]', 'list[0]', 'list[1]', 'list[2]'])).toEqual([
      'list[*]: 3 keys',
      'cart.a: 1 key',
      'cart.b[*]: 1 key',
      'visits: 1 key',
    ]);
  });

  it('goes into what is large, and leaves what is small', () => {
    const keys = [...list(1000, (at) => `app.users[${at}].address.city`), 'app.title', 'app.page.a', 'app.page.b'];
    expect(outline(keys)).toEqual(['app.users[*].address.city: 1000 keys', 'app.page: 2 keys', 'app.title: 1 key']);
  });

  it('stays short, whatever there is', () => {
    expect(outline(list(5000, (at) => `rates["key ${at}"].value`))).toEqual(['rates: 5000 keys']);
    const wide = list(9000, (at) => `m${at % 30}.k${at}`);
    expect(outline(wide)).toHaveLength(30);
  });

  it('looks no deeper than it tells', () => {
    const deep = list(2000, (at) => `m${at % 30}.k${at}${'.x'.repeat(900)}`);
    const before = process.memoryUsage().heapUsed;
    expect(outline(deep)).toHaveLength(30);
    // An object for each step of each key would take 500 MB.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000);
  });

  it('gives globs that mean what they count', () => {
    const keys = [...list(300, (at) => `a.b[${at}].c`), ...list(200, (at) => `a.b[${at}].d["odd.k[ey]"].e`), 'x'];
    const lines = outline(keys);
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) {
      const [, pattern = '', count] = /^(.*): (\d+) keys?$/.exec(line) ?? [];
      expect([pattern, keys.filter(globMatcher(pattern)).length]).toEqual([pattern, Number(count)]);
    }
  });
});
