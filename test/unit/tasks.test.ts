import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startTasks } from '../../scripts/tasks.mjs';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-tasks-'));
beforeAll(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterAll(() => {
  vi.restoreAllMocks();
  fs.rmSync(folder, { recursive: true, force: true });
});

it('says that some tasks are done while others still run', async () => {
  const go = path.join(folder, 'go');
  const waits = `while [ ! -e ${go} ]; do sleep 0.02; done`;
  const tasks = startTasks([
    { what: 'fetch', command: ['sh', '-c', waits] },
    { what: 'install', command: ['true'] },
    { what: 'build', command: ['true'], after: ['install'] },
  ]);
  expect(await tasks.after(['install', 'build'])).toBe(true);
  // `fetch` can end only now.
  fs.writeFileSync(go, '');
  expect(await tasks.after(['fetch'])).toBe(true);
  expect(await tasks.all).toBe(true);
});

it('starts nothing after a failure, and says of what was never started that it did not go well', async () => {
  const mark = path.join(folder, 'mark');
  const tasks = startTasks([
    { what: 'install', command: ['false'] },
    { what: 'build', command: ['touch', mark], after: ['install'] },
  ]);
  expect(await tasks.after(['build'])).toBe(false);
  expect(await tasks.all).toBe(false);
  expect(fs.existsSync(mark)).toBe(false);
});
