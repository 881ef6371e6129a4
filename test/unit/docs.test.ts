/** Keeps docs/ true: generated parts up to date, links alive, every code and every setting described. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { schemaAt, settingPaths } from '../../src/config-problems.ts';
import { configSchema } from '../../src/model/config.ts';
import { ERROR_STATUS } from '../../src/model/errors.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-docs-test-'));
afterAll(() => fs.rmSync(temporary, { recursive: true, force: true }));

const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8');
const markdownIn = (folder: string) =>
  fs
    .readdirSync(path.join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join(folder, name));
const pages = [...markdownIn('.'), ...markdownIn('docs')];
const plain = (text: string) => text.replace(/\s+/g, ' ');

describe('docs/api.md', () => {
  it('is what the generator makes', () => {
    const out = path.join(temporary, 'api.md');
    const { status, stderr } = spawnSync(process.execPath, ['scripts/docs.mjs', '--out', out], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(fs.readFileSync(out, 'utf8') === read('docs/api.md'), 'out of date: run npm run docs').toBe(true);
  });

  it.each(Object.entries(ERROR_STATUS))('describes %s', (code, status) => {
    expect(read('docs/api.md')).toMatch(new RegExp(`^- \\*\\*\`${code}\`\\*\\* \\(${status}\\)\\. \\S.*`, 'm'));
  });
});

describe('docs/configuration.md', () => {
  const page = plain(read('docs/configuration.md'));
  const defaults = configSchema.parse({});

  it.each(settingPaths().filter((keys) => schemaAt(keys)?.type !== 'object'))('describes %s %s', (...keys) => {
    const [key = '', ...sections] = keys.toReversed();
    const variable = `SUBSTRATE_${keys.join('__').toUpperCase()}`;
    const section = page.split(`## [${sections.toReversed().join('.')}] `)[1]?.split(' ## ')[0] ?? '';
    const entry = section.split(`- \`${key}\` (`)[1]?.split(').')[0] ?? '';
    expect(entry).toContain(`\`${variable}\``);
    const value = keys.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], defaults);
    expect(entry).toContain(value === undefined ? ', no default,' : `, default \`${JSON.stringify(value)}\`,`);
  });
});

describe('reasons why an attach fails', () => {
  it.each([
    ['src/probes/v8', 'docs/nodejs.md', 1],
    ['src/probes/v8/node', 'docs/nodejs.md', 11],
    ['src/probes/v8/browser', 'docs/browsers.md', 6],
    ['src/probes/v8/electron', 'docs/electron.md', 2],
    ['src/probes/v8/deno', 'docs/deno.md', 8],
    ['src/probes/jvm', 'docs/jvm.md', 18],
    ['src/probes/clr', 'docs/clr.md', 36],
    ['src/probes/agent-files', 'docs/jvm.md', 2],
    ['src/probes/agent-files', 'docs/clr.md', 2],
  ])('of %s are all in %s', (folder, file, least) => {
    const page = plain(read(file));
    const reasons = sourcesIn(folder).flatMap((source) => reasonsIn(read(source)));
    expect(reasons.length).toBeGreaterThanOrEqual(least);
    expect(reasons.flatMap(knownParts).filter((part) => !page.includes(part))).toEqual([]);
  });

  const sourcesIn = (folder: string) =>
    fs
      .readdirSync(path.join(ROOT, folder))
      .filter((name) => name.endsWith('.ts'))
      .map((name) => path.join(folder, name));

  /** Texts stand in the error itself, or in an object of words that is handed to who throws it. */
  const REASON = /(?:new AttachError\(|\b(?:notListening|notOpened):(?! string))\s*(?:(['`])(.*?)\1|([^\s,)]+))/g;
  const REMEDY = /\bremedy: (?:(['`])(.*?)\1|([A-Z_]+)\b)/g;
  /** What may stand there that is no text: it is found where the words are written. */
  const WORDS = /^words\.(?:notListening|notOpened)$/;

  function reasonsIn(source: string): string[] {
    const found = [...source.matchAll(REASON)];
    expect(found.flatMap(([, , , other]) => other ?? []).filter((other) => !WORDS.test(other))).toEqual([]);
    const remedies = [...source.matchAll(REMEDY)].map(([, , text, constant]) => text ?? `\${${constant}}`);
    const blockers = found.flatMap(([, , text]) => text ?? []);
    return [...blockers, ...remedies].map((text) => fillIn(text, source));
  }

  /** Constants of the same file are known; all else that is filled in is not. */
  function fillIn(text: string, source: string): string {
    return text.replace(/\$\{([A-Z_]+)(?: \/ (\d+))?\}/g, (whole, name: string, divisor?: string) => {
      const value = new RegExp(`^const ${name} = (?:'(.*)'|([\\d_]+));$`, 'm').exec(source);
      if (!value) return whole;
      return value[1] ?? String(Number(value[2]?.replaceAll('_', '')) / Number(divisor ?? 1));
    });
  }

  /** The words between what is filled in; very short ones say nothing. */
  function knownParts(reason: string): string[] {
    return reason
      .split(/\$\{[^}]*\}/)
      .map((part) => part.trim())
      .filter((part) => part.length > 10);
  }
});

describe('links', () => {
  it.each(pages)('of %s lead somewhere', (page) => {
    const dead = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target) && !isAlive(page, target));
    expect(dead).toEqual([]);
  });

  function isAlive(page: string, target: string): boolean {
    const [file = '', anchor] = target.split('#');
    const found = file === '' ? path.join(ROOT, page) : path.resolve(ROOT, path.dirname(page), decodeURI(file));
    if (!fs.existsSync(found)) return false;
    return anchor === undefined || !found.endsWith('.md') || anchorsOf(fs.readFileSync(found, 'utf8')).has(anchor);
  }

  /** As GitHub makes them. */
  function anchorsOf(text: string): Set<string> {
    const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading);
    return new Set(
      headings.map((heading) =>
        heading
          .toLowerCase()
          .replace(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      ),
    );
  }
});

describe('pages of docs/', () => {
  it.each(markdownIn('docs'))('%s has no line over 120 characters', (page) => {
    const outsideCode = read(page).replace(/^```[\s\S]*?^```$/gm, '');
    expect(outsideCode.split('\n').filter((line) => line.length > 120)).toEqual([]);
  });
});
