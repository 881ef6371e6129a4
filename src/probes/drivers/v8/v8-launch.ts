/** Decides how V8 programs are started so that they can be attached to: those of the Chromium family need a port. */
import fs from 'node:fs';
import path from 'node:path';
import { type Launch, type LaunchHelp, needsNothing } from '../../support/launch.ts';
import { readSmallFile } from '../../support/plain-file.ts';
import { chromiumFlags } from './browser/chromium-flags.ts';
import { browserName } from './detect.ts';

const NEED_NOTHING: readonly (readonly [RegExp, string])[] = [
  [/^(?:node(?:js)?|npm|npx|yarn|pnpm|tsx|ts-node)$/, 'Node.js'],
  [/^deno$/, 'Deno'],
  [/^electron$/, 'Electron'],
];
const PROFILE = '--user-data-dir=';
/** The flags of a browser are at the beginning. */
const MAX_COMMAND_BYTES = 64 * 1024;

/** Null if it is no V8 program, as far as known. */
export function helpV8(launch: Launch): LaunchHelp | null {
  const browser = launch.names.map((name) => browserName(name)).find((name) => name !== null);
  if (browser !== undefined) return withFlags(launch, browser, profileFolder(launch));
  const embedded = embeddedChromium(launch);
  // Their data is the app's own, and would not be found in another folder.
  if (embedded !== null) return withFlags(launch, embedded, null);
  const known = NEED_NOTHING.find(([pattern]) => launch.names.some((name) => pattern.test(name)))?.[1];
  if (known !== undefined) return needsNothing(launch, known);
  return isElectron(launch) ? needsNothing(launch, 'Electron') : null;
}

function withFlags({ args, env }: Launch, name: string, profile: string | null): LaunchHelp {
  const { added, remarks } = chromiumFlags(args, profile);
  if (profile !== null && added.includes(`${PROFILE}${profile}`))
    fs.mkdirSync(profile, { recursive: true, mode: 0o700 });
  const all = [...added, ...args];
  const summary = added.length === 0 ? `${name} is started as it is` : `${name}, with ${added.join(' ')}`;
  const folder = all.findLast((argument) => argument.startsWith(PROFILE))?.slice(PROFILE.length) ?? '';
  const pid = lockHolder(folder);
  if (pid === null) return { args: all, env, summary, remarks };
  const remark = `A browser with this profile runs already (pid ${pid}): it takes over, and its own options count.`;
  const plan = { args: all, env, summary, remarks: [...remarks, remark] };
  return usesFolder(pid, folder) ? { ...plan, runningPid: pid } : plan;
}

/** A second browser passes its addresses to the first one of the same profile, and ends. */
function lockHolder(folder: string): number | null {
  try {
    // A link to `host-pid`.
    const pid = Number(/-(\d+)$/.exec(fs.readlinkSync(path.join(folder, 'SingletonLock')))?.[1]);
    return folder !== '' && fs.existsSync(`/proc/${pid}`) ? pid : null;
  } catch {
    // Without the link no browser has this profile open.
    return null;
  }
}

/** The lock of a killed browser may name a pid that belongs to another program by now. */
function usesFolder(pid: number, folder: string): boolean {
  const command = readSmallFile(`/proc/${pid}/cmdline`, MAX_COMMAND_BYTES);
  return command?.includes(`${PROFILE}${folder}`) === true;
}

function profileFolder({ command, realFile, storageDir, homeDir }: Launch): string {
  const name = path.basename(command).replace(/[^\w.-]/g, '_');
  // A snap sees no hidden folder of the home folder but its own.
  if (path.basename(realFile) === 'snap') return path.join(homeDir, 'snap', name, 'common', 'substrate-profile');
  return path.join(storageDir, 'profiles', name);
}

/** Programs with Chromium inside that only its port leads into. */
function embeddedChromium({ command, realFile }: Launch): string | null {
  const has = (library: string) => fs.existsSync(path.join(path.dirname(realFile), library));
  if (has('lib/libnw.so') || has('libnw.so')) return 'NW.js';
  return has('libcef.so') ? `${path.basename(command)} (CEF)` : null;
}

function isElectron({ realFile }: Launch): boolean {
  const folder = path.dirname(realFile);
  const parts = ['app.asar', 'app', 'default_app.asar'].map((name) => path.join('resources', name));
  const has = (name: string) => fs.existsSync(path.join(folder, name));
  return has('chrome_100_percent.pak') && parts.some(has);
}
