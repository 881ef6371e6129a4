// Installs the npm packages of the lock file if they are missing or outdated.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(path.dirname(new URL(import.meta.url).pathname), '..');

/** npm keeps a copy of the lock file inside node_modules; it is older than ours after a pull that changed ours. */
function isInstalled(folder) {
  try {
    const installed = fs.statSync(path.join(folder, 'node_modules/.package-lock.json')).mtimeMs;
    return installed >= fs.statSync(path.join(folder, 'package-lock.json')).mtimeMs;
  } catch {
    return false;
  }
}

export function installPackages(folder = ROOT) {
  if (isInstalled(folder)) return;
  console.error('Installing npm packages …');
  npmInstall(folder);
}

/**
 * Installs the packages of the lock file in this folder. esbuild has its binary in a package of its own, so no install
 * script is needed. Not `npm ci`, which refuses a lock file without the optional packages of other platforms, which not
 * every registry has. Retries once, because of network errors.
 */
export function npmInstall(cwd) {
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  if (spawnSync('npm', args, { cwd, stdio: ['ignore', 2, 2] }).status !== 0) step('npm', args, { cwd });
}

/** Runs a command to its end; a failure also ends this script. */
export function step(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: ROOT, stdio: ['ignore', 2, 2], ...options });
  if (error) throw error;
  if (status !== 0) {
    console.error(`${command} ${args.join(' ')} failed`);
    process.exit(status ?? 1);
  }
}

if (process.argv[1] === import.meta.filename) installPackages(path.join(ROOT, process.argv[2] ?? ''));
