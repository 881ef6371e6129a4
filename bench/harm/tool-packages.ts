/** The measured tools, from npm, in a folder of their own: they are no part of the project. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { CACHE } from './folders.ts';
import { say } from './results.ts';

export const TOOLS_FOLDER = path.join(CACHE, 'tools');
export const MODULES = path.join(TOOLS_FOLDER, 'node_modules');

const PACKAGES = {
  vite: '8.3.8',
  mocha: '12.0.3',
  jest: '30.5.2',
  // The last one written in JavaScript.
  typescript: '5.9.3',
  webpack: '5.112.2',
  'webpack-cli': '6.0.1',
  eslint: '10.14.0',
  terser: '5.51.2',
  // Their input.
  express: '5.3.0',
  zod: '4.6.7',
  'lodash-es': '4.18.1',
};

export function installTools(): void {
  const wanted = `${JSON.stringify({ name: 'bench-harm-tools', private: true, dependencies: PACKAGES }, null, 2)}\n`;
  const done = path.join(TOOLS_FOLDER, 'installed.json');
  if (fs.existsSync(done) && fs.readFileSync(done, 'utf8') === wanted) return;
  say('installing the tools');
  fs.mkdirSync(TOOLS_FOLDER, { recursive: true });
  fs.rmSync(path.join(TOOLS_FOLDER, 'package-lock.json'), { force: true });
  fs.writeFileSync(path.join(TOOLS_FOLDER, 'package.json'), wanted);
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  if (spawnSync('npm', args, { cwd: TOOLS_FOLDER, stdio: ['ignore', 2, 2] }).status !== 0) {
    throw new Error('the tools cannot be installed');
  }
  fs.writeFileSync(done, wanted);
}
