/** Follows the recipes of CONTRIBUTING.md in a copy of the sources: they compile, and their tests pass. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
const COPIED = ['src', 'scripts', 'docs/source', 'docs/api.md', 'test/unit', 'test/support', 'test/contract'];
const COPIED_FILES = [
  'test/browser/frameworks.test.ts',
  'test/pages/third-party.ts',
  'vitest.config.ts',
  'package.json',
  'ARCHITECTURE.md',
];
const CONFIGS = ['tsconfig.json', 'tsconfig.page.json', 'tsconfig.page-tests.json'];
const IN_PAGES = /\/v8\/page\//;

interface Block {
  readonly file: string;
  readonly language: string;
  /** `in`: after the first line with this text; `before`: before it. */
  readonly place: { readonly how: 'in' | 'before'; readonly text: string } | null;
  readonly lines: readonly string[];
}

/** The report of vitest. */
interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const text = fs.readFileSync(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8');
const blocks = [...text.matchAll(/^( *)```(\w+) file=(\S+)(?: (in|before)="(.+)")?\n([\s\S]*?)^ *```$/gm)].map(
  ([, indent = '', language = '', file = '', how, found = '', body = '']): Block => ({
    file,
    language,
    place: how === 'in' || how === 'before' ? { how, text: found } : null,
    lines: body
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(indent.length)),
  }),
);

function apply(folder: string, block: Block): void {
  const file = path.join(folder, block.file);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const old = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n') : [];
  fs.writeFileSync(file, (block.language === 'diff' ? patched(old, block) : inserted(old, block)).join('\n'));
}

function patched(old: readonly string[], { file, lines }: Block): string[] {
  const signed = (sign: string) => lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1));
  const [removed = '', ...more] = signed('-');
  expect([old.filter((line) => line === removed), more], file).toEqual([[removed], []]);
  const { imports, rest } = parted(signed('+'));
  return [...imports, ...old.flatMap((line) => (line === removed ? rest : line))];
}

function inserted(old: readonly string[], { file, place, lines }: Block): string[] {
  const { imports, rest } = parted(lines);
  if (place === null) return [...imports, ...old, ...rest];
  const at = old.findIndex((line) => line.includes(place.text));
  expect(at, `${file} has a line with ${place.text}`).toBeGreaterThanOrEqual(0);
  const cut = place.how === 'in' ? at + 1 : at;
  return [...imports, ...old.slice(0, cut), ...rest, ...old.slice(cut)];
}

function parted(lines: readonly string[]): { imports: string[]; rest: string[] } {
  const isImport = (line: string) => line.startsWith('import ');
  return { imports: lines.filter(isImport), rest: lines.filter((line) => !isImport(line)) };
}

async function run(folder: string, ...[program = '', ...args]: string[]): Promise<{ code: unknown; printed: string }> {
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
  const [code] = (await once(child, 'close')) as [unknown];
  return { code, printed };
}

/** Not the sources of agents in other languages. */
const isTypeScript = (file: string) => !/\.(?:java|cs|c|h)$/.test(file);
const GOOD = { code: 0, printed: '' };
const bin = (name: string) => path.join(ROOT, 'node_modules/.bin', name);

// Compilers and a second vitest beside other tests.
describe('the recipes', { timeout: 180_000 }, () => {
  let folder = '';
  const files = [...new Set(blocks.map(({ file }) => file))].filter((file) => file.endsWith('.ts'));

  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-recipes-test-'));
    for (const name of [...COPIED, ...COPIED_FILES, ...CONFIGS])
      fs.cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true, filter: isTypeScript });
    fs.symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
    for (const block of blocks) apply(folder, block);
  });
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('have no code that is not tried', () => {
    const recipes = text.split(/^## /m).find((section) => section.startsWith('Recipes')) ?? '';
    expect(recipes.match(/^ *```\w/gm)).toHaveLength(blocks.length);
    expect(blocks.length).toBeGreaterThan(20);
  });

  it.each([
    ['tsconfig.json', files.filter((file) => !IN_PAGES.test(file)), ['node']],
    ['tsconfig.page-tests.json', files.filter((file) => IN_PAGES.test(file)), ['node']],
  ])('compile with %s', async (base, include, types) => {
    expect(include.length).toBeGreaterThan(2);
    const declarations = 'src/probes/drivers/v8/agent-source.d.ts';
    const config = {
      extends: `./${base}`,
      compilerOptions: { types },
      include: [...include, declarations],
      exclude: [],
    };
    fs.writeFileSync(path.join(folder, 'tsconfig.recipes.json'), JSON.stringify(config));
    expect(await run(folder, bin('tsc'), '--noEmit', '--project', 'tsconfig.recipes.json')).toEqual(GOOD);
  });

  it('pass the tests that they add, also over a real port, and keep the rules of the architecture', async () => {
    const tests = files.filter((file) => file.startsWith('test/unit/') && file.endsWith('.test.ts'));
    const titles = blocks.flatMap(({ lines }) => lines.flatMap((line) => /^it\('([^']+)'/.exec(line)?.[1] ?? []));
    expect(titles.length).toBe(tests.length);
    const report = path.join(folder, 'report.json');
    const chosen = ['-t', [...titles, '^arrows ', '^purity ', '^style '].join('|')];
    const args = ['run', '--project', 'unit', '--reporter=json', `--outputFile=${report}`, ...chosen];
    const { code, printed } = await run(folder, bin('vitest'), ...args, ...tests, 'test/unit/architecture.test.ts');
    const results = (JSON.parse(fs.readFileSync(report, 'utf8')) as Report).testResults.flatMap(
      (one) => one.assertionResults,
    );
    expect(results.flatMap(({ failureMessages }) => failureMessages)).toEqual([]);
    expect(code, printed).toBe(0);
    const passed = results.filter(({ status }) => status === 'passed').map(({ title }) => title);
    expect(passed).toEqual(expect.arrayContaining(titles));
    expect(passed.length).toBeGreaterThan(titles.length + 20);
  });

  it('leave the reference complete', async () => {
    const out = path.join(folder, 'api.md');
    expect(await run(folder, process.execPath, 'scripts/docs.mjs', '--out', out)).toEqual(GOOD);
    expect(fs.readFileSync(out, 'utf8')).toContain('/substrate/v1/capture/{pid}');
  });
});
