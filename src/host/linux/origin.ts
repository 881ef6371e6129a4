/** The container that a process runs in, seen from this process: one that both share is none. */
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

/** Where engines of this machine keep what they know of containers. */
export interface EngineFolders {
  readonly docker: string;
  readonly pods: string;
}
const FOLDERS: EngineFolders = { docker: '/var/lib/docker/containers', pods: '/var/log/containers' };

/** Null: it runs where this process does, or nothing says that it is a container. */
export function readOrigin(proc: ProcFs, pid: number, folders = FOLDERS): ProcessOrigin | null {
  // No container is without mounts of its own; a process that cannot be looked into may be in one.
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
    // A container that was made anew under its name is the same to people; one without a name is known by its id.
    key: pod === null ? (given ?? id) : `${pod.namespace}/${pod.pod}/${pod.container}`,
  };
}

/** Made by hand, or by an engine that is not known: processes, mounts and a host name of its own. */
function byNamespaces(proc: ProcFs, pid: number): ProcessOrigin | null {
  if (isShared(proc, pid, 'pid') !== false || isShared(proc, pid, 'uts') !== false) return null;
  const environment = readLongProcFile(`${proc.root}/${pid}/environ`, MAX_ENVIRON_BYTES).split('\0');
  const hostname = environment.find((line) => line.startsWith('HOSTNAME='))?.slice('HOSTNAME='.length) ?? '';
  const key = isName(hostname) ? hostname : null;
  // Its number is that of this boot alone: it tells people which one it is, and names nothing again later.
  const number = /\d+/.exec(readProcLink(`${proc.root}/${pid}/ns/pid`) ?? '')?.[0] ?? String(pid);
  return { engine: null, id: null, name: key ?? `namespace-${number}`, pod: null, key };
}

/**
 * The program outside that started the container, and knows its name. One inside could call itself so, too: it must have
 * this process's own pid namespace, and not that of the container.
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

/** Null: the kernel does not tell. */
function isShared(proc: ProcFs, pid: number, kind: 'mnt' | 'pid' | 'uts'): boolean | null {
  const theirs = readProcLink(`${proc.root}/${pid}/ns/${kind}`);
  return theirs === null ? null : theirs === readProcLink(`${proc.root}/self/ns/${kind}`);
}

function readDockerName(folders: EngineFolders, id: string): string | null {
  try {
    const file = `${folders.docker}/${id}/config.v2.json`;
    return fs.statSync(file).size > MAX_CONFIG_BYTES ? null : dockerName(JSON.parse(fs.readFileSync(file, 'utf8')));
  } catch {
    // Kept elsewhere, or for root alone: the id names the container.
    return null;
  }
}

function readPod(folders: EngineFolders, id: string): PodContainer | null {
  try {
    return findPodLog(fs.readdirSync(folders.pods), id);
  } catch {
    // This node keeps no such folder: the id names the container.
    return null;
  }
}
