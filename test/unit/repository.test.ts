/** The needs of a fresh clone on a machine that has never seen the project. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ON_REQUEST, PARALLEL, SERIAL } from '../../scripts/groups.mjs';
import { runtimesOfOneCpu } from '../../scripts/runtimes.mjs';
import { tempFolder } from './store/temp-folder.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const CPUS = ['linux-x64', 'linux-arm64'];
/** All files of the project, including new ones. */
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
  .toString()
  .trim()
  .split('\n')
  .filter((file) => fs.existsSync(path.join(ROOT, file)));
const lockFiles = tracked.filter((file) => path.basename(file) === 'package-lock.json');

interface Locked {
  readonly packages: Record<string, { readonly optionalDependencies?: Record<string, string> }>;
}

describe('the lock files', () => {
  it('are found', () => {
    expect(lockFiles).toContain('package-lock.json');
    expect(lockFiles.length).toBeGreaterThan(2);
  });

  it.each(lockFiles)('%s has every native binding for both CPUs', (file) => {
    const { packages } = JSON.parse(fs.readFileSync(path.join(ROOT, file), 'utf8')) as Locked;
    const names = new Set(Object.keys(packages).map((key) => key.replace(/^.*node_modules\//, '')));
    const needed = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
      // musl is another libc than that of the tested systems.
      Object.keys(optionalDependencies).filter(
        (name) => CPUS.some((cpu) => name.includes(cpu)) && !name.endsWith('musl'),
      ),
    );
    if (file === 'package-lock.json') expect(needed.length).toBeGreaterThan(6);
    expect(needed.filter((name) => !names.has(name))).toEqual([]);
  });

  it('name no registry, as not everybody has the same', () => {
    for (const file of lockFiles)
      expect(fs.readFileSync(path.join(ROOT, file), 'utf8')).not.toContain('"resolved": "http');
  });
});

describe('the README', () => {
  const rows = fs
    .readFileSync(path.join(ROOT, 'README.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()));

  it.each(runtimesOfOneCpu())('says that $label is tested on $cpu only', ({ label, cpu }) => {
    const family = label.replace(/ \d+.*$/, '');
    const head = rows.find(([, runtime]) => runtime === 'runtime') ?? [];
    const columns = { x64: head.findIndex((cell) => cell.includes('x64')), arm64: head.indexOf('on arm64') };
    const [here, elsewhere] = cpu === 'x64' ? [columns.x64, columns.arm64] : [columns.arm64, columns.x64];
    const tested = rows.filter(([, runtime]) => runtime?.includes(family));
    const isOnly = (cells: string[]) => /\d{4}-\d\d-\d\d$/.test(cells[here] ?? '') && cells[elsewhere] === 'never';
    expect(tested.some(isOnly)).toBe(true);
  });
});

describe('the first commands', () => {
  it.each(['README.md', 'docs/getting-started.md'])('of %s clone the repository', (page) => {
    const [line = ''] = /^git clone .*$/m.exec(fs.readFileSync(path.join(ROOT, page), 'utf8')) ?? [];
    const env = { ...process.env, REPOSITORY: ROOT };
    const printed = execFileSync('sh', ['-ec', `${line}\nls package.json`], { cwd: tempFolder(), env, stdio: 'pipe' });
    expect(printed.toString()).toBe('package.json\n');
  });

  it('are those that the hosted CI runs, on both CPUs', () => {
    const workflow = fs.readFileSync(path.join(ROOT, '.github/workflows/ci.yml'), 'utf8');
    expect(workflow).toContain('runner: [ubuntu-24.04, ubuntu-24.04-arm]');
    for (const command of ['npm start', 'npm run check', 'npm test']) expect(workflow).toContain(command);
  });
});

describe('the sources', () => {
  it('never make a pid up: a signal to process 0 goes to the whole process group', () => {
    const code = tracked.filter((file) => /\.(?:ts|tsx|mjs)$/.test(file) && !file.endsWith('repository.test.ts'));
    const textOf = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8');
    expect(code.filter((file) => /\bpid \?\? (?:0|-1)\b/.test(textOf(file)))).toEqual([]);
  });
});

describe('the list of unsteady tests', () => {
  const listed = JSON.parse(fs.readFileSync(path.join(ROOT, 'test/unsteady.json'), 'utf8')) as unknown[];

  it('is short', () => {
    expect(listed.length).toBeLessThanOrEqual(5);
  });

  it('names tests that exist, what is known about them, and since when they are on it', () => {
    for (const entry of listed) {
      expect(entry).toEqual({
        file: expect.stringMatching(/^test\/.*\.test\.ts$/),
        name: expect.any(String),
        known: expect.stringMatching(/.{20}/),
        since: expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
      });
      expect(tracked).toContain((entry as { file: string }).file);
    }
  });
});

describe('the tests', () => {
  it('each belong to a group, which is the folder that they are in', () => {
    const groups = [...PARALLEL, ...SERIAL, ...ON_REQUEST];
    const tests = tracked.filter((file) => file.endsWith('.test.ts') && !file.startsWith('examples/'));
    expect(tests.length).toBeGreaterThan(100);
    expect(tests.filter((file) => !groups.includes(file.split('/')[1] ?? ''))).toEqual([]);
  });
});
