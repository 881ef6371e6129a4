/** The roots of programs stay the same: each with its name, its kind, and its place among the others. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { commandOf, isHere, startDotnet } from '../support/dotnet.ts';
import { startProgram } from '../support/programs.ts';
import { endAll } from '../support/real-processes.ts';
import { expectRoots, hasMostOf, rootsOf, rootsReported } from '../support/recorded-roots.ts';
import { startScreen } from '../support/runtimes.ts';
import type { Target } from '../support/targets.ts';
import { attachWhenStarted } from './attach-when-started.ts';

const homes: string[] = [];
afterEach(async () => {
  await endAll();
  for (const home of homes.splice(0)) fs.rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

async function startKeePass(): Promise<Target> {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'known-roots-'));
  homes.push(home);
  const env = { DISPLAY: `:${await startScreen()}`, HOME: home, XDG_CONFIG_HOME: home };
  return startProgram(commandOf('mono'), ['/usr/lib/keepass2/KeePass.exe'], { env, ready: /^/ });
}

const PROGRAMS: Readonly<Record<string, () => Promise<Target>>> = {
  'csharp-shop-mono': () => startDotnet('mono', 'shop'),
  keepass: startKeePass,
  ...(isHere('net31')
    ? {
        'csharp-kinds-net31': () => startDotnet('net31', 'kinds'),
        'csharp-web-net31': () => startDotnet('net31', 'web', { ready: /ready/ }),
      }
    : {}),
};

it.each(Object.entries(PROGRAMS))('%s', async (program, start) => {
  const target = await start();
  const app = await attachWhenStarted(target);
  const isKeePass = program === 'keepass';
  let roots: string[] = [];
  const updates = await rootsReported(async () => {
    roots = await rootsOf(
      app,
      ({ actions }, seen) => !isKeePass || (actions.has('main_form.help.about_keepass') && hasMostOf(program, seen)),
    );
  });
  expectRoots(program, { roots, updates }, isKeePass);
  await app.probe.detach();
  expect(target.exitCode()).toBeNull();
});
