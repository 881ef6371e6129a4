/**
 * The example projects, run like a copy of them: by their own test runner, with the published package, beside a daemon.
 */
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHROMIUM } from '../support/chromium.ts';
import { cleanEnv, makeHome, RunningDaemon, stopAll } from '../support/daemon.ts';
import { LEAVE_OTHERS_ALONE } from '../support/known-app.ts';
import { recordSession } from '../support/recorded-session.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** The name that the examples import. */
const NAME = 'substrated';
/** Packages of other folders than the project's own, according to its package.json. */
const INSTALLED = path.join(ROOT, 'node_modules');
const JEST = path.join(ROOT, 'test/jest/node_modules');
const RUNNERS = {
  vitest: [path.join(INSTALLED, 'vitest/vitest.mjs'), 'run'],
  jest: [path.join(JEST, 'jest/bin/jest.js')],
  'node-test': ['--test'],
  playwright: [path.join(INSTALLED, '@playwright/test/cli.js'), 'test'],
};
type Example = keyof typeof RUNNERS;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-examples-'));
const examples = path.join(folder, 'examples');
let daemon: RunningDaemon;
let home: string;

beforeAll(async () => {
  fs.cpSync(path.join(ROOT, 'examples'), examples, { recursive: true });
  installPackage();
  for (const name of ['vitest', '@playwright', 'playwright', 'playwright-core', '@types/node', 'undici-types'])
    link(path.join(INSTALLED, name), name);
  for (const name of ['jest', '@jest', 'expect', '@types/jest']) link(path.join(JEST, name), name);
  home = makeHome();
  daemon = await RunningDaemon.start(home, { env: { ...LEAVE_OTHERS_ALONE, SUBSTRATE_SCANNER__INTERVAL_MS: '100' } });
});
afterAll(async () => {
  await stopAll();
  fs.rmSync(folder, { recursive: true, force: true });
});

function link(place: string, name: string): void {
  const file = path.join(folder, 'node_modules', name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.symlinkSync(place, file);
}

/** The build before the tests has made all of its files. */
function installPackage(): void {
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const packed = JSON.parse(
    execFileSync('npm', pack, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  const [{ filename }] = Array.isArray(packed) ? packed : Object.values(packed);
  const installed = path.join(folder, 'node_modules', NAME);
  fs.mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', path.join(folder, filename), '-C', installed, '--strip-components=1']);
}

interface Run {
  readonly code: number | null;
  readonly output: string;
}

async function run(command: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<Run> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    cwd,
    env: cleanEnv(home, { SUBSTRATE_URL: daemon.base, SUBSTRATE_KEY: daemon.key, CI: '1', NO_COLOR: '1', ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/** Runs the tests of an example, and an additional failing one. */
async function runExample(name: Example, file: string, failing: string): Promise<Run> {
  const project = path.join(examples, name);
  const text = fs.readFileSync(path.join(project, file), 'utf8');
  // The beginning of the example, up to its first test.
  fs.writeFileSync(path.join(project, `failing.${file}`), `${text.slice(0, text.search(/^test\(/m))}${failing}\n`);
  const env = { PORT: String(await freePort()), CHROMIUM };
  const { code, output } = await run([process.execPath, ...RUNNERS[name]], project, env);
  return { code, output };
}

const inDocs = (output: string) => output.replaceAll(folder, '~');

const BECAUSE = 'shop.special is "cappuccino"; expected === "mocha".';

describe('the example passes, and a test that fails says why in the words of the predicate: with', () => {
  it('vitest', async () => {
    const failing = `test('has mocha', async () => {
  await expect(app).toReachState('shop.special', 'mocha', { timeout: 200 });
});
test('closes', async () => {
  await expect(app).not.toReach('shop.open', { timeout: 200 });
});
test('is no app', async () => {
  await expect('coffee').toReach('shop.open');
});
test('has what no state has', async () => {
  await expect(app).toReachState('shop.special', expect.any(String));
});
test('changes something', async () => {
  await expect(app).toReach('shop.special = 1');
});`;
    const { code, output } = await runExample('vitest', 'shop.test.ts', failing);
    // The first failure and the last lines are enough for a reader.
    const shown = output.replace(/(\[1\/5\].*\n)[\s\S]*(\[5\/5\].*\n)/, '$1\n…\n');
    recordSession('docs/testing.md', { name: 'vitest', command: 'npx vitest run', output: inDocs(shown) });
    expect(output).toContain('Tests  5 failed | 2 passed');
    expect(output).toContain(`expect(app).toReachState("shop.special", "mocha")\n\n${BECAUSE}\n\ncoffee-shop (pid `);
    expect(output).toContain('expect(app).not.toReach("shop.open")\n\nshop.open is true, so !(shop.open) is false.');
    expect(output).toContain(`toReach("shop.open") needs an app: const app = await connect('name').`);
    expect(output).toContain('Write anything else as an expression, with toReach.');
    expect(output).toContain('SubstrateError: A predicate cannot change anything');
    expect(code).toBe(1);
  });

  it('jest', async () => {
    const failing = `test('has mocha', async () => {
  await expect(app).toReachState('shop.special', 'mocha', { timeout: 200 });
});`;
    const { code, output } = await runExample('jest', 'shop.test.js', failing);
    expect(output).toMatch(/Tests: +1 failed, 1 passed, 2 total/);
    expect(output).toContain(BECAUSE);
    expect(code).toBe(1);
  });

  it('node:test', async () => {
    const failing = `test('has mocha', async () => {
  await assertReachState(app, 'shop.special', 'mocha', { timeout: 200 });
});`;
    const { code, output } = await runExample('node-test', 'shop.test.js', failing);
    expect(output).toMatch(/^# pass 1\n# fail 1$/m);
    expect(output).toContain(BECAUSE);
    expect(output).toContain("code: 'ERR_ASSERTION'");
    expect(code).toBe(1);
  });

  it('Playwright', async () => {
    const failing = `test('an order is paid for', async ({ server }) => {
  await expect(server).toReachState('shop.orders.length', 7, { timeout: 200 });
});`;
    const { code, output } = await runExample('playwright', 'order.spec.ts', failing);
    recordSession('docs/testing.md', { name: 'playwright', command: 'npx playwright test', output: inDocs(output) });
    expect(output).toMatch(/1 failed\n.*\n +1 passed/);
    expect(output).toMatch(/shop\.orders\.length is \d; expected === 7\./);
    expect(code).toBe(1);
  });
});

describe('the types of the matchers', () => {
  const TSC = path.join(INSTALLED, 'typescript/bin/tsc');
  const OPTIONS = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext'];
  const USES = `
declare const app: AppHandle;
export const first: Promise<void> = expect(app).toReachState('cart.items.length', 2);
export const second: Promise<void> = expect(app).not.toReach('cart.items.length === 2', { timeout: 100 });
// @ts-expect-error an expression is a text
expect(app).toReach(7);
// @ts-expect-error a state holds no functions
expect(app).toReachState('cart', () => 1);
// @ts-expect-error there is no such option
expect(app).toReach('cart', { timeoutMs: 100 });
`;
  const IMPORTS = {
    vitest: `import { expect } from 'vitest';\nimport type { AppHandle } from 'substrated/test/vitest';`,
    playwright: `import { type AppHandle, expect } from 'substrated/test/playwright';`,
    '@jest/globals': `import { expect } from '@jest/globals';\nimport type { AppHandle } from 'substrated/test/jest';`,
    'global jest': `/// <reference types="jest" />\nimport type { AppHandle } from 'substrated/test/jest';`,
  };

  it.each<['module' | 'commonjs', (keyof typeof IMPORTS)[]]>([
    ['module', ['vitest', 'playwright', '@jest/globals']],
    ['commonjs', ['playwright', '@jest/globals', 'global jest']],
  ])('are there in a project of type %s: %j', async (type, names) => {
    const project = path.join(folder, `types-${type}`);
    fs.mkdirSync(project);
    fs.writeFileSync(path.join(project, 'package.json'), JSON.stringify({ type }));
    const files = names.map((name, index) => {
      fs.writeFileSync(path.join(project, `use-${index}.ts`), `${IMPORTS[name]}${USES}`);
      return `use-${index}.ts`;
    });
    const compiled = await run([process.execPath, TSC, ...OPTIONS, '--types', 'node', ...files], project);
    expect(compiled).toEqual({ code: 0, output: '' });
  });
});
