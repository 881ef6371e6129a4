// `npm run check -- --watch`: after each change lint and types again, and the unit tests that the change concerns.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { QUICK_CHECKS } from './checks.mjs';
import { ROOT } from './install.mjs';
import { runTasks } from './tasks.mjs';

const FOLDERS = ['src', 'test', 'scripts', 'bench', 'docs'];
/** Editors write a file in several steps, and several files at once. */
const QUIET_MS = 200;

/**
 * Runs until it is interrupted. `args` are for vitest. At first it runs all tests that they select, because it knows
 * the imports only of tests that it has run.
 */
export function watchChecks(args) {
  const vitest = ['node_modules/vitest/vitest.mjs', 'watch', '--project', 'unit', '--clearScreen=false'];
  const tests = spawn(process.execPath, [...vitest, ...args], { cwd: ROOT, stdio: 'inherit' });
  tests.on('exit', (code) => process.exit(code ?? 1));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => tests.kill(signal));

  let timer;
  let isRunning = false;
  let isChanged = false;
  const check = async () => {
    isChanged = true;
    if (isRunning) return;
    isRunning = true;
    while (isChanged) {
      isChanged = false;
      const isGood = await runTasks(
        QUICK_CHECKS.map((task) => ({ ...task, after: [] })),
        1,
      );
      if (!isChanged) console.error(isGood ? '— lint and types are good' : '— lint or types failed, see above');
    }
    isRunning = false;
  };
  for (const folder of FOLDERS.map((name) => path.join(ROOT, name)).filter((name) => fs.existsSync(name)))
    fs.watch(folder, { recursive: true }, () => {
      clearTimeout(timer);
      timer = setTimeout(check, QUIET_MS);
    });
  return check();
}
