import { expect, it } from 'vitest';
import { createLogger } from '../../../src/cli/log.ts';

function logged(level: 'trace' | 'warn' | 'silent', format: 'json' | 'pretty' = 'json') {
  const lines: string[] = [];
  return { lines, log: createLogger({ level, format }, (line) => lines.push(line)) };
}

it('writes a line of JSON, with what an error is made of', () => {
  const { lines, log } = logged('warn');
  log.error({ pid: 7, err: new TypeError('wrong') }, 'it failed');
  const [line = ''] = lines;
  const { time, ...rest } = JSON.parse(line);
  expect(time).toBeTypeOf('number');
  expect(rest).toMatchObject({ level: 50, pid: 7, msg: 'it failed', err: { type: 'TypeError', message: 'wrong' } });
  expect(rest.err.stack).toContain('log.test.ts');
  expect(line.endsWith('}\n')).toBe(true);
});

it('leaves out what is below its level', () => {
  const { lines, log } = logged('warn');
  log.debug({}, 'a');
  log.info({}, 'b');
  log.warn({}, 'c');
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['c']);
  expect(log.trace).toBeUndefined();
  const silent = logged('silent');
  silent.log.error({}, 'd');
  expect(silent.lines).toEqual([]);
  const all = logged('trace');
  all.log.trace?.({}, 'e');
  expect(JSON.parse(all.lines[0] ?? '')).toMatchObject({ level: 10, msg: 'e' });
});

it('lets no text of an app steer a terminal', () => {
  const { lines, log } = logged('warn', 'pretty');
  log.warn({ name: 'a\u009b31m\u202e' }, 'found');
  log.warn({}, 'two\nlines\u001b[2J');
  expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z warn found \{"name":"a\\u009b31m\\u202e"\}\n$/);
  expect(lines[1]).toMatch(/ warn two\\u000alines\\u001b\[2J\n$/);
});
