/** The identity of an app does not depend on when the daemon first sees it. */
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { AppSummary, LearnResponse } from '../../src/model/wire.ts';
import { makeHome, RunningDaemon, stopAll } from '../support/daemon.ts';
import { endAll, start, until } from '../support/real-processes.ts';

/** Both have one title, in one folder, and the second leaves that folder. */
const TITLED = `
  let visits = 3;
  setInterval(() => { if (visits > 1e9) visits++; }, 60_000);
  process.stdin.once('data', () => {
    process.title = 'one title';
    if (process.argv[1].includes('second')) process.chdir('/');
    console.log('titled');
  });
  console.log('ready');
`;
afterEach(async () => {
  await stopAll();
  await endAll();
});

function makePrograms(files: Readonly<Record<string, string>>): string {
  const folder = makeHome();
  for (const [file, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, file), text);
  return folder;
}

async function startNode(folder: string, script: string) {
  const { pid, child } = start(process.execPath, [script], { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] });
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  await until(`${script} to run`, () => output.includes('ready'));
  const setTitle = async () => {
    child.stdin?.write('now\n');
    await until(`the title of ${script}`, () => output.includes('titled'));
  };
  return { pid, setTitle };
}

const appsOf = async (daemon: RunningDaemon, pids: readonly number[]) => {
  for (const pid of pids) await daemon.state(pid);
  return Promise.all(pids.map(async (pid) => (await daemon.app(pid)) as AppSummary));
};

it('two Node programs with one title and one folder are two apps, before it and after, and what one is taught stays', async () => {
  const folder = makePrograms({ 'first.mjs': TITLED, 'second.cjs': TITLED });
  const home = makeHome();
  const programs = [await startNode(folder, 'first.mjs'), await startNode(folder, 'second.cjs')];
  const pids = programs.map(({ pid }) => pid);
  const before = await RunningDaemon.start(home);
  const seen = await appsOf(before, pids);
  expect(seen.map(({ app_name }) => app_name)).toEqual(['first', 'second']);
  expect(new Set(seen.map(({ app_id }) => app_id)).size).toBe(2);
  const { capture_id, schema_version } = await before.state(pids[0] ?? 0);
  const corrections = [{ observed_key: 'visits', correct_label: 'guests', correct_type: 'number' }];
  const { body } = await before.post<LearnResponse>(`/substrate/v1/learn/${pids[0]}`, {
    capture_id,
    schema_version,
    corrections,
  });
  expect(body).toMatchObject({ accepted: 1 });
  await before.stop();

  for (const { setTitle } of programs) await setTitle();
  const after = await RunningDaemon.start(home);
  const again = await appsOf(after, pids);
  expect(again.map(({ app_id, app_name }) => [app_id, app_name])).toEqual(
    seen.map(({ app_id, app_name }) => [app_id, app_name]),
  );
  expect((await after.state(pids[0] ?? 0)).objects).toMatchObject({ guests: 3 });
  expect((await after.state(pids[1] ?? 0)).objects).toMatchObject({ visits: 3 });
});
