/**
 * A comment begins with its subject. One that opens with "What" or "Of" continues a sentence that only its author knows,
 * and no linter notices that.
 */
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const SRC = path.resolve(import.meta.dirname, '../../src');
const UNCLEAR = /(?:(?:^|\s)(?:\/\/|\/\*\*?)|^\s*\*)\s+(?:What|Of)\s/;
const SOURCE = /\.(?:tsx?|css|java|cs|c|h)$/;

/** The lines of a file whose comment opens with "What" or "Of". */
function unclearIn(text: string): number[] {
  return text.split('\n').flatMap((line, at) => (UNCLEAR.test(line) ? [at + 1] : []));
}

it('finds comments that do not begin with a subject', () => {
  const unclear = [
    '/** What is read. */',
    '/**',
    ' * Of the app.',
    ' */',
    'call(); // What comes back',
    '  // Of a page.',
  ];
  expect(unclearIn(unclear.join('\n'))).toEqual([1, 3, 5, 6]);
  const clear = [
    '/** The values that were read. */',
    '// Whatever fits.',
    "const question = '// What?';",
    '// Often empty.',
  ];
  expect(unclearIn(clear.join('\n'))).toEqual([]);
});

it('begins each comment in src with its subject', () => {
  const files = fs.readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => SOURCE.test(file));
  expect(files.length).toBeGreaterThan(500);
  const unclear = files.flatMap((file) =>
    unclearIn(fs.readFileSync(path.join(SRC, file), 'utf8')).map((line) => `${file}:${line}`),
  );
  expect(unclear).toEqual([]);
});
