/** Finds the container that a process runs in. A container that this process shares does not count. */
import fs from 'node:fs';
import type { ProcessOrigin } from '../../model/process.ts';
import {
  dockerName,
  findPodLog,
  isName,
  type PodContainer,
  parseCgroup,
  parseConmon,
  parsePodName,
} from './container-names.ts';
import type { ProcFs } from './proc-fs.ts';
import { readLongProcFile, readProcLink } from './proc-read.ts';

const MAX_CGROUP_BYTES = 64 * 1024;
const MAX_ENVIRON_BYTES = 256 * 1024;
const MAX_CONFIG_BYTES = 4 * 1024 * 1024;
const MAX_GENERATIONS = 32;
const SHORT_ID = 12;

/** Folders in which engines of this machine describe their containers. */
export interface EngineFolders {
  readonly docker: string;
  readonly pods: string;
}
const FOLDERS: EngineFolders = { docker: '/var/lib/docker/containers', pods: '/var/log/containers' };

/** Null if the process runs where this one does, or if nothing shows that it is in a container. */
export function readOrigin(proc: ProcFs, pid: number, folders = FOLDERS): ProcessOrigin | null {
  // Every container has mounts of its own. A process whose mounts cannot be read may be in one.
  if (isShared(proc, pid, 'mnt') === true) return null;
  const cgroup = parseCgroup(cgroupOf(proc, pid));
  const own = parseCgroup(cgroupOf(proc, 'self'));
  const started = startedBy(proc, pid);
  if (cgroup !== null && cgroup.id === own?.id) return null;
  const id = cgroup?.id ?? started?.id ?? null;
  if (id === null) return byNamespaces(proc, pid);
  const engine = cgroup?.engine ?? (started === null ? null : 'podman');
  const given = started?.id === id ? started.name : engine === 'docker' ? readDockerName(folders, id) : null;
  const pod = (given === null ? null : parsePodName(given)) ?? (cgroup?.podUid ? readPod(folders, id) : null);
  return {
    engine,
    id,
    name: pod?.pod ?? given ?? id.slice(0, /^[0-9a-f]{64}$/.test(id) ? SHORT_ID : undefined),
    pod: pod === null ? (cgroup?.podUid ?? null) : `${pod.namespace}/${pod.pod}`,
    // A container that is recreated under its name is the same app; one without a name is identified by its id.
    key: pod === null ? (given ?? id) : `${pod.namespace}/${pod.pod}/${pod.container}`,
  };
}

/** A container of an unknown engine has processes, mounts and a host name of its own. */
function byNamespaces(proc: ProcFs, pid: number): ProcessOrigin | null {
  if (isShared(proc, pid, 'pid') !== false || isShared(proc, pid, 'uts') !== false) return null;
  const environment = readLongProcFile(`${proc.root}/${pid}/environ`, MAX_ENVIRON_BYTES).split('\0');
  const hostname = environment.find((line) => line.startsWith('HOSTNAME='))?.slice('HOSTNAME='.length) ?? '';
  const key = isName(hostname) ? hostname : null;
  // The number of the namespace is valid until the next boot, so it is shown but does not identify the app.
  const number = /\d+/.exec(readProcLink(`${proc.root}/${pid}/ns/pid`) ?? '')?.[0] ?? String(pid);
  return { engine: null, id: null, name: key ?? `namespace-${number}`, pod: null, key };
}

/**
 * The id and name in the command line of the program that started the container. A program inside could imitate it, so
 * only one in this process's own pid namespace counts.
 */
function startedBy(proc: ProcFs, pid: number) {
  if (isShared(proc, pid, 'pid') !== false) return null;
  let above = pid;
  for (let generation = 0; generation < MAX_GENERATIONS; generation++) {
    const stat = proc.stat(above);
    if (typeof stat === 'string' || stat.ppid <= 1) return null;
    above = stat.ppid;
    if (isShared(proc, above, 'pid') === true) return parseConmon(proc.argv(above));
  }
  return null;
}

function cgroupOf(proc: ProcFs, pid: number | 'self'): string {
  return readLongProcFile(`${proc.root}/${pid}/cgroup`, MAX_CGROUP_BYTES);
}

/** Null if the link cannot be read. */
function isShared(proc: ProcFs, pid: number, kind: 'mnt' | 'pid' | 'uts'): boolean | null {
  const theirs = readProcLink(`${proc.root}/${pid}/ns/${kind}`);
  return theirs === null ? null : theirs === readProcLink(`${proc.root}/self/ns/${kind}`);
}

function readDockerName(folders: EngineFolders, id: string): string | null {
  try {
    const file = `${folders.docker}/${id}/config.v2.json`;
    return fs.statSync(file).size > MAX_CONFIG_BYTES ? null : dockerName(JSON.parse(fs.readFileSync(file, 'utf8')));
  } catch {
    // The file is elsewhere, or only root may read it: the id names the container.
    return null;
  }
}

function readPod(folders: EngineFolders, id: string): PodContainer | null {
  try {
    return findPodLog(fs.readdirSync(folders.pods), id);
  } catch {
    // This host has no such folder: the id names the container.
    return null;
  }
}
