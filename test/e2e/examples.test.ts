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
