/** The choice of the browser, and the messages if there is none. A real one is in test/e2e/mcp-start.test.ts. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { BrowserStarter, type StarterOptions } from '../../../src/cli/run/browser-starter.ts';
import { createDrivers } from '../../../src/probes/registry.ts';
import { end, start, until } from '../../support/real-processes.ts';
import { tempFolder } from '../store/temp-folder.ts';

const ADDRESS = 'https://example.org/';
/** Writes its arguments and environment to a file, and stays. */
const STAYS = 'printf "%s\\n" "$@" > "$0.new"; env >> "$0.new"; mv "$0.new" "$0.called"; exec sleep 600';

/** With a script on its path that has the name of a browser. */
function setUp(script: string, env: NodeJS.ProcessEnv = {}, settings: Partial<StarterOptions['settings']> = {}) {
  const homeDir = tempFolder();
  const program = path.join(homeDir, 'chromium');
  fs.writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const starter = new BrowserStarter({
    settings: { programs: ['no-such-browser', 'chromium'], args: [], ...settings },
    loadDrivers: () => createDrivers({}, { looksOnly: true }),
    platform: 'linux',
    env: { PATH: `${homeDir}:/usr/bin:/bin`, ...env },
    homeDir,
    storageDir: path.join(homeDir, 'data'),
  });
  onTestFinished(() => starter.close(true));
  const called = () =>
    until(
      'the call',
      () => fs.existsSync(`${program}.called`) && fs.readFileSync(`${program}.called`, 'utf8').split('\n'),
    );
  return { starter, homeDir, called };
}

const isThere = (pid: number) => fs.existsSync(`/proc/${pid}`);

it('starts the first browser that there is, with a port and a profile; without a screen it has no window, and ends', async () => {
  const { starter, homeDir, called } = setUp(STAYS, { SUBSTRATE_KEY: 'sk_secret' }, { args: ['--mute-audio'] });
  const opened = await starter.open(ADDRESS);
  expect(opened).toMatchObject({ started: true, headless: true });
  const words = await called();
  expect(words.slice(0, 7)).toEqual([
    '--remote-debugging-port=0',
    `--user-data-dir=${homeDir}/data/profiles/chromium`,
    '--headless',
    '--no-first-run',
    '--no-default-browser-check',
    '--mute-audio',
    ADDRESS,
  ]);
  expect(words.join()).not.toContain('sk_secret');
  expect(opened.failure()).toBeNull();
  const [pid = 0] = opened.pids();
  expect(isThere(pid)).toBe(true);
  await starter.close(false);
  expect(isThere(pid)).toBe(false);
});

it.each([{ DISPLAY: ':0' }, { WAYLAND_DISPLAY: 'wayland-0' }])('shows a window on %o, which stays', async (screen) => {
  const { starter, called } = setUp(STAYS, screen);
  const opened = await starter.open(ADDRESS);
  expect(opened.headless).toBe(false);
  expect(await called()).not.toContain('--headless');
  const [pid = 0] = opened.pids();
  await starter.close(false);
  expect(isThere(pid)).toBe(true);
  await starter.close(true);
  expect(isThere(pid)).toBe(false);
});

it('finds the browser that has the profile already, but not whoever has the pid of one that was killed', async () => {
  const { starter, homeDir } = setUp(STAYS);
  const profile = path.join(homeDir, 'data/profiles/chromium');
  fs.mkdirSync(profile, { recursive: true });
  const lock = path.join(profile, 'SingletonLock');
  const other = start(process.execPath, ['-e', 'setInterval(() => {}, 1000)', '--', `--user-data-dir=${profile}`]);
  onTestFinished(() => end(other));
  fs.symlinkSync(`host-${other.pid}`, lock);
  const opened = await starter.open(ADDRESS);
  expect(opened).toMatchObject({ started: false, headless: null });
  expect(opened.pids()).toEqual([other.pid]);
  fs.rmSync(lock);
  fs.symlinkSync(`host-${process.pid}`, lock);
  expect(await starter.open(ADDRESS)).toMatchObject({ started: true });
});

it.each<[string, string, Partial<StarterOptions['settings']>, RegExp]>([
  ['none is allowed', STAYS, { programs: [] }, /\[browser\] programs is empty/],
  ['none is installed', STAYS, { programs: ['x-1', 'x-2'] }, /None of these browsers is installed: x-1, x-2\./],
  ['what is named is no browser', STAYS, { programs: ['sleep'] }, /sleep .* is no browser/],
])('says that %s', async (_, script, settings, message) => {
  const { starter } = setUp(script, {}, settings);
  await expect(starter.open(ADDRESS)).rejects.toMatchObject({
    code: 'browser_failed',
    message: expect.stringMatching(message),
  });
});

it.each([
  ['echo no display >&2; exit 3', /^chromium ended at once \(code 3\)\. It said: no display\.$/],
  ['echo Running as root without --no-sandbox is not supported. >&2; exit 1', /args = \["--no-sandbox"\]/],
  ['kill -9 $$', /^chromium ended at once \(SIGKILL\)\. It said: nothing\.$/],
])('says what it said last: %s', async (script, message) => {
  const opened = await setUp(script).starter.open(ADDRESS);
  expect(await until('its end', () => opened.failure())).toMatch(message);
});
