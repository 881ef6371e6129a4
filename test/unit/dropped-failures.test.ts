/**
 * A failure is handled, reported, or dropped with a reason: this reads the sources, because no linter requires reasons.
 */
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const SRC = path.resolve(import.meta.dirname, '../../src');

const isComment = (line = '') => /^\s*(?:\/\/|\*|\/\*)/.test(line);
const hasComment = (line = '') => /(?:^|\s)\/\/ /.test(line);
const indentOf = (line = '') => /^ */.exec(line)?.[0].length ?? 0;

/** The lines of a file that drop a failure without a reason in or above them. */
function droppedIn(text: string): number[] {
  const lines = text.split('\n');
  return lines.flatMap((line, at) => {
    if (isComment(line) || hasComment(line)) return [];
    const before = lines[at - 1];
    const isBlock = /\bcatch \{/.test(line);
    const isHandler = /\.catch\(\(\) =>/.test(line);
    // The second handler of `then`, on a line of its own.
    const isSecond =
      /^\s*\(\) => \S+,?$/.test(line) && !/\.then\($/.test(before ?? '') && /^\s*\)/.test(lines[at + 1] ?? '');
    if ((!isBlock && !isHandler && !isSecond) || isComment(before)) return [];
    const block: string[] = [];
    for (let next = at + 1; isBlock && indentOf(lines[next]) > indentOf(line); next++) block.push(lines[next] ?? '');
    return block.some((inside) => isComment(inside) || hasComment(inside)) ? [] : [at + 1];
  });
}

it('finds what drops a failure', () => {
  const dropped = ['try {', '  work();', '} catch {', '  return null;', '}', 'await work().catch(() => undefined);'];
  expect(droppedIn(dropped.join('\n'))).toEqual([3, 6]);
  const reasoned = [
    '} catch {',
    '  // It is gone.',
    '  return null;',
    '}',
    '// It is gone.',
    'work().catch(() => null);',
  ];
  expect(droppedIn(reasoned.join('\n'))).toEqual([]);
  expect(droppedIn('} catch (error) {\n  report(error);\n}')).toEqual([]);
  expect(droppedIn('work.then(\n  () => true,\n  () => false,\n);')).toEqual([3]);
});

it('has a reason wherever a failure is dropped', () => {
  const files = fs.readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  expect(files.length).toBeGreaterThan(400);
  const dropped = files.flatMap((file) =>
    droppedIn(fs.readFileSync(path.join(SRC, file), 'utf8')).map((line) => `${file}:${line}`),
  );
  expect(dropped).toEqual([]);
});
