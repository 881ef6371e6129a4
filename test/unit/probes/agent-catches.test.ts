/**
 * The agents inside Java and .NET programs swallow nothing: a handler that catches all exceptions, or a whole family,
 * passes them on, reports them, counts them, or gives the reason why nothing is lost.
 */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const DRIVERS = path.resolve(import.meta.dirname, '../../../src/probes/drivers');
const FAMILIES =
  /^(?:Throwable|Exception|Error|RuntimeException|LinkageError|VirtualMachineError|OutOfMemoryError|ReflectiveOperationException|SystemException)$/;
const CATCH = /\bcatch\b\s*(?:\(\s*(?:final\s+)?([\w.| ]+?)(?:\s+(\w+))?\s*\))?\s*(?:when\s*\(.*\)\s*)?(?:\{|$)/;
const REASON = /\/\/ Nothing is lost: \w+/;
const COUNTS = /\bDiscarded\.[cC]ount\(|\bEmitter\.Failed\(/;

interface Catch {
  readonly line: number;
  readonly variable: string | null;
  readonly body: string;
}

/** Handlers that catch more than one kind of exception. */
function broadCatches(source: string): Catch[] {
  const lines = source.split('\n');
  return lines.flatMap((text, at) => {
    const found = /^\s*\/\//.test(text) ? null : CATCH.exec(text);
    if (!found) return [];
    const types = (found[1] ?? 'Exception').split('|').map((type) => type.trim());
    // `catch (Exception)` in C# has no variable; a regular expression takes the last word for one.
    if (!types.some((type) => FAMILIES.test(type))) return [];
    return [{ line: at + 1, variable: found[2] ?? null, body: bodyFrom(lines, at, found.index) }];
  });
}

/** Up to the brace that closes the first one that opens. */
function bodyFrom(lines: readonly string[], at: number, column: number): string {
  const text = [lines[at]?.slice(column) ?? '', ...lines.slice(at + 1)].join('\n');
  let depth = 0;
  for (let index = text.indexOf('{'); index >= 0 && index < text.length; index++) {
    if (text[index] === '{') depth++;
    if (text[index] === '}' && --depth === 0) return text.slice(text.indexOf('{'), index + 1);
  }
  return text;
}

function isHandled({ variable, body }: Catch): boolean {
  const code = body.replace(/\/\/.*$/gm, '');
  if (REASON.test(body) || COUNTS.test(code) || /\bthrow\b/.test(code)) return true;
  // It is kept, or passed on.
  return variable !== null && new RegExp(`\\b${variable}\\b`).test(code);
}

function sourcesBelow(folder: string, extension: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(extension))
    .map((file) => path.join(folder, file));
}

describe.each([
  ['jvm', '.java'],
  ['clr', '.cs'],
])('the agent of %s', (driver, extension) => {
  const files = sourcesBelow(path.join(DRIVERS, driver, 'agent'), extension);
  const all = files.flatMap((file) =>
    broadCatches(fs.readFileSync(file, 'utf8')).map((each) => ({ file: path.basename(file), ...each })),
  );

  it('discards no exception without a count or a reason', () => {
    expect(all.length).toBeGreaterThan(50);
    expect(all.filter((each) => !isHandled(each)).map(({ file, line }) => `${file}:${line}`)).toEqual([]);
  });

  it('counts each place under its own name', () => {
    for (const file of files)
      for (const [, place = ''] of fs
        .readFileSync(file, 'utf8')
        .matchAll(/(?:Discarded\.[cC]ount|Emitter\.Failed)\("([^"]*)"/g)) {
        expect(place).toMatch(/^\w+\.\w+$/);
        expect(place.split('.')[0]).toBe(path.basename(file, extension));
        expect(place.length).toBeLessThan(60);
      }
  });
});

describe('the search for catches', () => {
  const handled = (source: string) => broadCatches(source).map(isHandled);

  it.each([
    'catch (Throwable lost) {\n    return null;\n}',
    'catch (Exception)\n{\n    return null;\n}',
    'catch\n{\n}',
    '} catch (IOException | RuntimeException lost) { }',
    'catch (Exception lost) {\n    // lost is not worth a word.\n}',
    'catch (Exception)\n{\n    // It may be so.\n    if (a) { throw2(); }\n}',
  ])('sees what is swallowed: %j', (source) => expect(handled(source)).toEqual([false]));

  it.each([
    'catch (Throwable lost) {\n    Discarded.count("A.b", lost);\n}',
    'catch (Exception)\n{\n    if (a) { b(); }\n    throw;\n}',
    'catch (Exception failed)\n{\n    answer = Error(request, failed);\n}',
    'catch (Exception)\n{\n    // Nothing is lost: the other way is taken.\n}',
  ])('takes what is handled: %j', (source) => expect(handled(source)).toEqual([true]));

  it('leaves alone what catches one kind', () => {
    expect(
      broadCatches('catch (InterruptedException end) {}\ncatch (FormatException) { }\n// catch (Exception)'),
    ).toEqual([]);
  });
});
