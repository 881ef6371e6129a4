/** The name of an NW.js app for people, and its identity after a restart. Packed like Electron's, but simpler. */
import path from 'node:path';
import type { ProcessInfo } from '../../../../model/process.ts';
import { statSeen } from '../../../support/in-root.ts';
import { type NodeIdentity, readPackage } from '../node/node-identity.ts';

const PACKED = 'package.nw';

export function identifyNw(process: ProcessInfo, resolve: (path: string) => string): NodeIdentity {
  const exe = (process.exe ?? process.name).replace(/ \(deleted\)$/, '');
  const app = packedApp(path.dirname(exe), resolve) ?? namedApp(process);
  if (app === null) return { appName: path.basename(exe), identity: `nw:${exe}` };
  // An archive (`shop.nw`) is known by its own name, unless that is the one that every app has.
  const archive = path.basename(app) === PACKED ? path.basename(exe) : path.basename(app).replace(/\.nw$/, '');
  const appName = readPackage(app, resolve)?.name ?? archive;
  return { appName, identity: `nw:${app}` };
}

/** An app that was shipped together with NW.js. */
function packedApp(folder: string, resolve: (path: string) => string): string | null {
  if (statSeen(resolve(path.join(folder, 'package.json'))) !== null) return folder;
  const packed = path.join(folder, PACKED);
  return statSeen(resolve(packed)) !== null ? packed : null;
}

/** `nw folder`, `nw shop.nw`. */
function namedApp({ argv, cwd }: ProcessInfo): string | null {
  const argument = argv.slice(1).find((candidate) => candidate !== '' && !candidate.startsWith('-'));
  return argument === undefined ? null : path.resolve(cwd ?? '/', argument);
}
