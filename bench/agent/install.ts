/** The apps, from npm, each into a folder of its own below .cache: they are no part of the project. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { App } from './app.ts';

export const CACHE = path.resolve('.cache/bench-agent');

export const modulesOf = ({ name }: App) => path.join(CACHE, name, 'node_modules');

export function installApp({ name, packages }: App): void {
  if (packages === undefined) return;
  const folder = path.join(CACHE, name);
  const wanted = `${JSON.stringify({ name: 'bench-agent', private: true, ...packages }, null, 2)}\n`;
  const done = path.join(folder, 'installed.json');
  if (fs.existsSync(done) && fs.readFileSync(done, 'utf8') === wanted) return;
  console.error(`Installing ${name} …`);
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'package.json'), wanted);
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  if (spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 2, 2] }).status !== 0) {
    throw new Error(`${name} cannot be installed`);
  }
  fs.writeFileSync(done, wanted);
}
