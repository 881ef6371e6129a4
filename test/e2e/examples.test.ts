/**
 * The example projects, run as somebody runs them who has copied them: by their own test runner, with the package that is
 * published, beside a daemon.
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

const ROOT = path.resolve(import.meta.dirname, '../..');
/** As the examples import it. */
const NAME = 'substrated';
/** Of other folders than the project's own: what its package.json names. */
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
  for (const name of ['vitest', '@playwright', 'playwright', 'playwright-core', 'typescript', '@types'])
    fs.symlinkSync(path.join(INSTALLED, name), path.join(folder, 'node_modules', name));
  home = makeHome();
  daemon = await RunningDaemon.start(home, { env: { ...LEAVE_OTHERS_ALONE, SUBSTRATE_SCANNER__INTERVAL_MS: '100' } });
});
afterAll(async () => {
  await stopAll();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** The build before the tests has made everything that is in it. */
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

async function runExample(name: Example, ...args: string[]): Promise<Run> {
  const env = { PORT: String(await freePort()), CHROMIUM };
  return run([process.execPath, ...RUNNERS[name], ...args], path.join(examples, name), env);
}

describe('the example for', () => {
  it.each<[Example, RegExp]>([
    ['vitest', /Tests {2}3 passed/],
    ['jest', /Tests: +1 passed, 1 total/],
    ['node-test', /^# pass 1$/m],
    ['playwright', /1 passed/],
  ])('%s passes', async (name, passed) => {
    const { code, output } = await runExample(name);
    expect(output).toMatch(passed);
    expect(code).toBe(0);
  });
});

/** A project beside the examples, with another test of the same program. */
function addTest(name: Example, file: string, change: (text: string) => string): void {
  const text = fs.readFileSync(path.join(examples, name, file), 'utf8');
  fs.writeFileSync(path.join(examples, name, `wrong.${file}`), change(text));
}
/** The text of the example up to its first test, and one test more. */
const withTest = (head: RegExp, test: string) => (text: string) => `${text.slice(0, text.search(head))}${test}\n`;

const BECAUSE = 'shop.special is "cappuccino"; expected === "mocha".';

describe('a test that fails says why, in the words of the predicate: in', () => {
  it('vitest, with .not, with what is no app, and with what no state can be', async () => {
    const wrong = `test('wrong', async () => {
  await expect(app).toReachState('shop.special', 'mocha', { timeout: 200 });
});
test('turned around', async () => {
  await expect(app).not.toReach('shop.open', { timeout: 200 });
});
test('no app', async () => {
  await expect('coffee').toReach('shop.open');
});
test('no such value', async () => {
  await expect(app).toReachState('shop.special', expect.any(String));
});
test('no such expression', async () => {
  await expect(app).toReach('shop.special = 1');
});`;
    addTest('vitest', 'shop.test.ts', withTest(/^test\(/m, wrong));
    const { code, output } = await runExample('vitest', 'wrong');
    expect(code).toBe(1);
    expect(output).toContain('Tests  5 failed');
    expect(output).toContain(`expect(app).toReachState("shop.special", "mocha")\n\n${BECAUSE}\n\ncoffee-shop (pid `);
    expect(output).toContain('expect(app).not.toReach("shop.open")\n\nshop.open is true; expected a falsy value.');
    expect(output).toContain(`toReach("shop.open") needs an app: const app = await connect('name').`);
    expect(output).toContain('Write anything else as an expression, with toReach.');
    expect(output).toContain('SubstrateError: expression');
  });

  it('jest', async () => {
    const wrong = `test('wrong', async () => {
  await expect(app).toReachState('shop.special', 'mocha', { timeout: 200 });
});`;
    addTest('jest', 'shop.test.js', withTest(/^test\(/m, wrong));
    const { code, output } = await runExample('jest', 'wrong');
    expect(code).toBe(1);
    expect(output).toContain(BECAUSE);
  });

  it('node:test', async () => {
    const wrong = `test('wrong', async () => {
  await assertReachState(app, 'shop.special', 'mocha', { timeout: 200 });
});`;
    addTest('node-test', 'shop.test.js', withTest(/^test\(/m, wrong));
    const { code, output } = await runExample('node-test', 'wrong.shop.test.js');
    expect(code).toBe(1);
    expect(output).toContain(BECAUSE);
    expect(output).toContain("code: 'ERR_ASSERTION'");
    expect(output).toContain("operator: 'assertReachState'");
  });

  it('Playwright', async () => {
    addTest('playwright', 'order.spec.ts', (text) => text.replace("drink: 'tea', isPaid: false", "drink: 'milk'"));
    const { code, output } = await runExample('playwright', 'wrong');
    expect(code).toBe(1);
    expect(output).toContain('shop.orders[0].drink is "tea"; expected === "milk".');
  });
});

describe('the types of the matchers', () => {
  const TSC = path.join(INSTALLED, 'typescript/bin/tsc');
  const compile = (name: string, types: string, text: string) => {
    const project = path.join(folder, name);
    fs.mkdirSync(project, { recursive: true });
    fs.writeFileSync(path.join(project, 'package.json'), JSON.stringify({ type: types }));
    fs.writeFileSync(path.join(project, 'use.ts'), text);
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext'];
    return run([process.execPath, TSC, ...options, '--types', 'node', 'use.ts'], project);
  };
  const uses = (result: string) => `
declare const app: AppHandle;
const first: ${result} = expect(app).toReachState('cart.items.length', 2);
const second: ${result} = expect(app).not.toReach('cart.items.length === 2', { timeout: 100 });
// @ts-expect-error an expression is a text
expect(app).toReach(7);
// @ts-expect-error a state holds no functions
expect(app).toReachState('cart', () => 1);
// @ts-expect-error there is no such option
expect(app).toReach('cart', { timeoutMs: 100 });
export { first, second };`;

  it.each([
    ['vitest', 'module', `import { expect } from 'vitest';\nimport { type AppHandle } from 'substrated/test/vitest';`],
    ['playwright', 'module', `import { type AppHandle, expect } from 'substrated/test/playwright';`],
    ['playwright', 'commonjs', `import { type AppHandle, expect } from 'substrated/test/playwright';`],
  ])('of %s in a %s', async (name, kind, imports) => {
    expect(await compile(`types-${name}-${kind}`, kind, imports + uses('Promise<void>'))).toEqual({
      code: 0,
      output: '',
    });
  });

  it.each([
    ['the global expect', 'commonjs', "import 'jest';"],
    ['@jest/globals', 'commonjs', "import { expect } from '@jest/globals';"],
    ['@jest/globals', 'module', "import { expect } from '@jest/globals';"],
  ])('of jest with %s in a %s', async (name, kind, imports) => {
    const folderName = `types-jest-${name.replace(/\W/g, '')}-${kind}`;
    fs.mkdirSync(path.join(folder, folderName), { recursive: true });
    fs.symlinkSync(JEST, path.join(folder, folderName, 'node_modules'));
    const text = `${imports}\nimport { type AppHandle } from 'substrated/test/jest';${uses('Promise<void>')}`;
    expect(await compile(folderName, kind, text)).toEqual({ code: 0, output: '' });
  });
});
