/** The name of an Electron app for people, and its identity after a restart. */
import path from 'node:path';
import type { ProcessInfo } from '../../../../model/process.ts';
import { statSeen } from '../../../support/in-root.ts';
import { type NodeCommand, type NodeIdentity, parsePackage, readPackage } from '../node/node-identity.ts';
import { readAsarFile } from './asar.ts';

/** Beside the executable; on macOS beside its folder. */
const RESOURCES = ['resources', '../Resources'];
/** Electron's own order. */
const PACKED_APPS = ['app.asar', 'app'];
/** Options of Electron that take the next argument as their value. */
const OPTIONS_WITH_VALUE = new Set(['-r', '--require']);
/** Where an AppImage is mounted: another folder at each start. */
const APP_IMAGE = /^\/tmp\/\.mount_[^/]+/;

/** `command` is Electron's own answer, with the folder of the app as `main`; null before the attach. */
export function identifyElectron(
  process: ProcessInfo,
  resolve: (path: string) => string,
  command: NodeCommand | null = null,
): NodeIdentity {
  const exe = (process.exe ?? process.name).replace(/ \(deleted\)$/, '');
  const app = packedApp(exe, resolve) ?? runningApp(process, command, resolve);
  const description = app === null ? null : describe(app, resolve);
  const appName = description?.productName ?? description?.name ?? path.basename(exe);
  return { appName, identity: `electron:${(app ?? exe).replace(APP_IMAGE, `${appName}.AppImage`)}` };
}

function packedApp(exe: string, resolve: (path: string) => string): string | null {
  const candidates = RESOURCES.flatMap((folder) => PACKED_APPS.map((app) => path.join(path.dirname(exe), folder, app)));
  return candidates.find((candidate) => statSeen(resolve(candidate)) !== null) ?? null;
}

/** The named app, unless another one runs: then the program has changed its working folder. */
function runningApp(process: ProcessInfo, command: NodeCommand | null, resolve: (path: string) => string) {
  if (command === null) return namedApp(process);
  const named = namedApp({ argv: command.argv, cwd: process.cwd });
  const folder = command.main;
  if (folder === null || named === folder) return named;
  const script = named === null ? folder : path.join(folder, path.basename(named));
  return statSeen(resolve(script)) !== null ? script : folder;
}

/** `electron .`, `electron /usr/lib/app/app.asar`: a plain Electron runs what its command line names. */
function namedApp({ argv, cwd }: Pick<ProcessInfo, 'argv' | 'cwd'>): string | null {
  for (let at = 1; at < argv.length; at++) {
    const argument = argv[at] ?? '';
    if (OPTIONS_WITH_VALUE.has(argument)) at++;
    else if (argument !== '' && !argument.startsWith('-')) return path.resolve(cwd ?? '/', argument);
  }
  return null;
}

function describe(app: string, resolve: (path: string) => string) {
  if (app.endsWith('.asar')) {
    const content = readAsarFile(resolve(app), 'package.json');
    return content === null ? null : parsePackage(content);
  }
  // A script may be named in the place of a folder.
  return readPackage(app, resolve) ?? (/\.[cm]?js$/.test(app) ? readPackage(path.dirname(app), resolve) : null);
}
