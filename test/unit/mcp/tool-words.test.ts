import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { inToolWords } from '../../../src/mcp/tool-words.ts';

const SRC = path.resolve(import.meta.dirname ?? '.', '../../../src');
const HTTP = /\/substrate\/v1|fresh=(?:true|false)|\/learn\b|openapi\.json|(?:GET|POST) \//;

/** Every quoted text of the daemon that mentions HTTP. */
const messages = ['daemon', 'semantic', 'http/pipeline.ts', 'http/router.ts'].flatMap((place) => {
  const at = path.join(SRC, place);
  const files = place.endsWith('.ts')
    ? [at]
    : fs.readdirSync(at, { recursive: true, encoding: 'utf8' }).map((file) => path.join(at, file));
  return files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const code = fs.readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|^import.*$|\/\/.*$/gm, '');
      return [...code.matchAll(/'[^'\n]*'|`[^`]*`/g)].map(([text]) => text).filter((text) => HTTP.test(text));
    });
});

it('finds them', () => {
  expect(messages.length).toBeGreaterThan(5);
});

it.each(messages)('%s is said of tools', (message) => {
  expect(inToolWords(message)).not.toMatch(HTTP);
});
