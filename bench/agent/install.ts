/** The apps, from npm, each in a folder of its own below .cache: they are no part of the project. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { App } from './app.ts';

export const CACHE = path.resolve('.cache/bench-agent');

export const modulesOf = ({ name, installedAs = name }: App) => path.join(CACHE, installedAs, 'node_modules');

export function installApp({ name: ownName, installedAs: name = ownName, packages }: App): void {
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

/** Unpacks packages of Debian without installing them. Returns the reason of a failure, or null. */
export function unpackDebian({ name, debian = [] }: App): string | null {
  const folder = path.join(CACHE, name, 'debian');
  const done = path.join(folder, 'unpacked');
  if (debian.length === 0 || (fs.existsSync(done) && fs.readFileSync(done, 'utf8') === debian.join())) return null;
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  const quiet = { cwd: folder, stdio: 'ignore' } as const;
  if (spawnSync('apt-get', ['download', ...debian], quiet).status !== 0) {
    return `${debian.join(', ')} cannot be fetched by apt-get`;
  }
  for (const file of fs.readdirSync(folder)) {
    if (!file.endsWith('.deb')) continue;
    if (spawnSync('dpkg', ['-x', file, '.'], quiet).status !== 0) return `${file} cannot be unpacked`;
    fs.rmSync(path.join(folder, file));
  }
  fs.writeFileSync(done, debian.join());
  return null;
}

export const debianFile = (app: string, file: string) => path.join(CACHE, app, 'debian', file);

export function writeTranscript(name: string, parts: readonly string[]): void {
  const folder = path.join(CACHE, 'transcripts');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, `${name}.txt`), `${parts.join('\n\n')}\n`);
}
