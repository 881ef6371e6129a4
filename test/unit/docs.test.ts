/** Keeps docs/ true: generated parts up to date, links alive, every code and every setting described. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { schemaAt, settingPaths } from '../../src/config-problems.ts';
import { configSchema } from '../../src/config-schema.ts';
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

  /** The anchors that GitHub makes. */
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

describe('promises', () => {
  const security = read('docs/security.md').replace(/^[\s\S]*?^## Promises.*$|^## Network[\s\S]*$/gm, '');
  const pages = { 'docs/security.md': security, 'docs/reliability.md': read('docs/reliability.md') };
  const promises = Object.entries(pages).flatMap(([page, text]) =>
    [...text.matchAll(/^- (?:.+\n?)(?: {2}.+\n?)*/gm)].map(([promise]) => [page, plain(promise)] as const),
  );

  it('are found', () => {
    for (const page of Object.keys(pages)) expect(promises.filter(([on]) => on === page).length).toBeGreaterThan(15);
  });

  it.each(promises)('of %s name tests that are there: %s', (_, promise) => {
    // Text between single stars.
    const kept = [...promise.matchAll(/(?<!\*)\*(?!\*)([^*]+)\*(?!\*)/g)].map(([, text = '']) => text);
    const files = kept.flatMap((text) => [...text.matchAll(/`(test\/[^`]+)`/g)].map(([, file = '']) => file));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect(fs.existsSync(path.join(ROOT, file)), file).toBe(true);
    for (const part of kept.flatMap((text) => text.split(';'))) {
      const file = /`(test\/[^`]+)`/.exec(part)?.[1] ?? '';
      for (const [, title = ''] of part.matchAll(/"([^"]+)"/g)) expect(read(file)).toContain(`'${title}'`);
    }
  });
});
