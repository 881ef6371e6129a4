/** The machine: Node, the operating system, its user, its folders for temporary files. */
import fs from 'node:fs';
import os from 'node:os';
import { isNoExec } from '../../probes/support/agent-files/mounts.ts';
import { type Check, ok, problem, warning } from './check.ts';

const OLDEST_NODE = 20;
/** Where agents are put: HotSpot and Mono take nothing else than /tmp. */
const AGENT_FOLDER = '/tmp';

export interface System {
  readonly nodeVersion: string;
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** Null where users have no numbers. */
  readonly uid: number | null;
  /** `/proc/self/mountinfo`; empty where there is none. */
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
    return '';
  }
}

export function checkSystem(system: System): Check[] {
  const { platform, uid, mounts } = system;
  const checks = [checkNode(system), checkPlatform(system)];
  if (platform !== 'linux') return checks;
  return [...checks, checkUser(uid), ...checkProc(mounts, uid), ...checkFolders(mounts)];
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

/** Processes of other users may be kept out of sight. */
function checkProc(mounts: string, uid: number | null): Check[] {
  const line = mounts.split('\n').find((candidate) => candidate.split(' ')[4] === '/proc');
  const hidden = /\bhidepid=(\w+)/.exec(line ?? '')?.[1];
  if (hidden === undefined || hidden === '0' || hidden === 'off' || uid === 0) return [];
  const message = `/proc is mounted with hidepid=${hidden}: programs of other users are not shown.`;
  return [warning('proc', message, 'Nothing is needed for your own programs; run it as root for those of others.')];
}

function checkFolders(mounts: string): Check[] {
  const folders = [...new Set([os.tmpdir(), AGENT_FOLDER])];
  const checks = folders.map((folder) =>
    isWritable(folder)
      ? ok('temporary_files', `${folder} can be written to`)
      : problem(
          'temporary_files',
          `${folder} cannot be written to, and an attach needs that.`,
          `Make ${folder} writable.`,
        ),
  );
  if (isNoExec(mounts, AGENT_FOLDER)) {
    const message = `${AGENT_FOLDER} is mounted noexec: local variables of Java programs are not seen, and .NET before version 8 cannot be attached to.`;
    checks.push(warning('execution', message, `Mount ${AGENT_FOLDER} without noexec.`));
  }
  if (!isWritable('/dev/shm'))
    checks.push(warning('shared_memory', `/dev/shm cannot be written to: .NET programs use ${AGENT_FOLDER}.`, null));
  return checks;
}

function isWritable(folder: string): boolean {
  try {
    fs.accessSync(folder, fs.constants.W_OK | fs.constants.X_OK);
    return fs.statSync(folder).isDirectory();
  } catch {
    return false;
  }
}
