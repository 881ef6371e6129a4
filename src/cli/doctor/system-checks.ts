/** Checks the machine: Node, the operating system, its user, its folders for temporary files. */
import fs from 'node:fs';
import os from 'node:os';
import type { NeededFolder } from '../../probes/declaration.ts';
import { isNoExec } from '../../probes/support/agent-files/mounts.ts';
import { type Check, ok, problem, warning } from './check.ts';

const OLDEST_NODE = 20;

export interface System {
  readonly nodeVersion: string;
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** Null where users have no numbers. */
  readonly uid: number | null;
  /** `/proc/self/mountinfo`; empty if there is none. */
  readonly mounts: string;
}

export function thisSystem(): System {
  return {
    nodeVersion: process.versions.node,
    platform: process.platform,
    arch: process.arch,
    uid: process.geteuid?.() ?? null,
    mounts: readMounts(),
  };
}

function readMounts(): string {
  try {
    return fs.readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    // Without that file nothing is known of mounts, so nothing is reported.
    return '';
  }
}

export function checkSystem(system: System, folders: readonly NeededFolder[]): Check[] {
  const { platform, uid, mounts } = system;
  const checks = [checkNode(system), checkPlatform(system)];
  if (platform !== 'linux') return checks;
  return [...checks, checkUser(uid), ...checkProc(mounts, uid), ...checkFolders(mounts, folders)];
}

function checkNode({ nodeVersion }: System): Check {
  const message = `Node.js ${nodeVersion}`;
  if (Number.parseInt(nodeVersion, 10) >= OLDEST_NODE) return ok('node', message);
  return problem('node', `${message} is too old.`, `Install Node.js ${OLDEST_NODE} or later.`);
}

function checkPlatform({ platform, arch }: System): Check {
  if (platform === 'linux') return ok('system', `Linux, ${arch}`);
  return problem('system', `On ${platform} programs are listed, but none can be attached to.`, 'Use Linux.');
}

function checkUser(uid: number | null): Check {
  if (uid === 0)
    return ok(
      'user',
      'root: the programs of all users can be attached to, by itself those of root and the user of sudo',
    );
  return ok('user', `user ${uid}: only programs of this user can be attached to`);
}

/** Processes of other users may be hidden. */
function checkProc(mounts: string, uid: number | null): Check[] {
  const line = mounts.split('\n').find((candidate) => candidate.split(' ')[4] === '/proc');
  const hidden = /\bhidepid=(\w+)/.exec(line ?? '')?.[1];
  if (hidden === undefined || hidden === '0' || hidden === 'off' || uid === 0) return [];
  const message = `/proc is mounted with hidepid=${hidden}: programs of other users are not shown.`;
  return [warning('proc', message, 'Nothing is needed for your own programs; run it as root for those of others.')];
}

function checkFolders(mounts: string, needed: readonly NeededFolder[]): Check[] {
  const tmp = os.tmpdir();
  const own = isWritable(tmp)
    ? ok('temporary_files', `${tmp} can be written to`)
    : problem('temporary_files', `${tmp} cannot be written to, and an attach needs that.`, `Make ${tmp} writable.`);
  const paths = [...new Set(needed.map(({ path }) => path))];
  const missing = paths.flatMap((path) => {
    const lost = (needs: NeededFolder['needs']) =>
      needed.filter((folder) => folder.path === path && folder.needs === needs).map(({ otherwise }) => otherwise);
    const isClosed = lost('write').length > 0 && !isWritable(path);
    const cannotRun = lost('execute').length > 0 && isNoExec(mounts, path);
    return [
      ...(isClosed
        ? [
            warning(
              'temporary_files',
              `${path} cannot be written to: ${lost('write').join(', and ')}.`,
              `Make ${path} writable.`,
            ),
          ]
        : []),
      ...(cannotRun
        ? [
            warning(
              'execution',
              `${path} is mounted noexec: ${lost('execute').join(', and ')}.`,
              `Mount ${path} without noexec.`,
            ),
          ]
        : []),
    ];
  });
  return [own, ...missing];
}

function isWritable(folder: string): boolean {
  try {
    fs.accessSync(folder, fs.constants.W_OK | fs.constants.X_OK);
    return fs.statSync(folder).isDirectory();
  } catch {
    // An inaccessible folder is not writable either; the check reports it.
    return false;
  }
}
