/** The packages of this folder, which `npm run bench browser` installs. They are no dependencies of the project. */
import fs from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const FOLDER = path.resolve('bench/peers');
const peersRequire = module.createRequire(path.join(FOLDER, 'package.json'));

export function importPeer(name: string): Promise<unknown> {
  return import(pathToFileURL(peersRequire.resolve(name)).href);
}

export function fileOfPeer(name: string, file: string): string {
  return path.join(FOLDER, 'node_modules', name, file);
}

export function versionOfPeer(name: string): string {
  const { version } = JSON.parse(fs.readFileSync(fileOfPeer(name, 'package.json'), 'utf8')) as { version: string };
  return version;
}
