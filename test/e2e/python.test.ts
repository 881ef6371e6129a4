/** The Python client, with Debian's own Python, and the example that uses it. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cleanEnv, makeHome, RunningDaemon, stopAll } from '../support/daemon.ts';
import { LEAVE_OTHERS_ALONE } from '../support/known-app.ts';
import { startProgram } from '../support/programs.ts';
import { endAll } from '../support/real-processes.ts';
import { recordSession } from '../support/recorded-session.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PYTHON = process.env.SUBSTRATE_TEST_PYTHON ?? '/usr/bin/python3';
const CLIENT = path.join(ROOT, 'clients/python');
const SHOP = path.join(ROOT, 'examples/coffee-shop.mjs');
let daemon: RunningDaemon;
let home: string;

beforeAll(async () => {
  home = makeHome();
  daemon = await RunningDaemon.start(home, { env: { ...LEAVE_OTHERS_ALONE, SUBSTRATE_SCANNER__INTERVAL_MS: '100' } });
});
afterAll(async () => {
  await stopAll();
  await endAll();
});

async function python(...args: string[]): Promise<{ code: number | null; output: string }> {
  const connection = { SUBSTRATE_URL: daemon.base, SUBSTRATE_KEY: daemon.key };
  const paths = { PYTHONPATH: CLIENT, PYTHONDONTWRITEBYTECODE: '1', NODE: process.execPath, SHOP };
  const child = spawn(PYTHON, ['-W', 'error', ...args], {
    cwd: ROOT,
    env: cleanEnv(home, { ...connection, ...paths }),
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

it('does what its own tests ask of it', async () => {
  const { code, output } = await python('-m', 'unittest', '-v', 'test_substrated');
  expect(output).toMatch(/^Ran 15 tests in/m);
  expect(output).toMatch(/^OK$/m);
  expect(code).toBe(0);
});

it('carries an agent from the state to a proven action', async () => {
  const { pid } = await startProgram(process.execPath, [SHOP]);
  const { code, output } = await python('examples/python/agent.py', String(pid));
  recordSession('docs/python.md', { name: 'agent', command: 'python3 agent.py', output });
  expect(output).toContain('coffee-shop runs on Node.js');
  expect(output).toMatch(/^new: shop\.queue\[\d\]\.customer = Hedy$/m);
  expect(output).toMatch(/^refuted: verification_failed: shop\.special is "milk"; expected === "tea"\.$/m);
  expect(output).toMatch(/^changed by itself: shop\.queue/m);
  expect(code).toBe(0);
});
