/**
 * Finds the container of a process by its control group, the program that started the container, and files that
 * engines keep on the host. Names that come from inside a container are not used for this.
 */

/** A container by its control group. */
export interface CgroupContainer {
  /** `docker`, `podman`, …; null if the path does not say. */
  readonly engine: string | null;
  /** 64 hex digits, or the name of a container that has no such id. */
  readonly id: string;
  /** The pod in Kubernetes; null if there is none. */
  readonly podUid: string | null;
}

export interface StartedContainer {
  readonly id: string;
  readonly name: string | null;
}

export interface PodContainer {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** Control groups of containers: `docker-<id>.scope`, `/docker/<id>`, `/kubepods/…/pod<uid>/<id>`. */
const WITH_ID = /^(?:(docker|libpod|libpod-payload|crio|cri-containerd|nerdctl)[-_])?([0-9a-f]{64})(?:\.scope)?$/;
/** Engines whose containers have a name, but no id. */
const NAMED: readonly (readonly [RegExp, string])[] = [
  [/\/lxc(?:\.payload\.|\/)([^/]+)$/, 'lxc'],
  [/\/(?:machine-|systemd-nspawn@)([^/]+?)\.(?:scope|service)$/, 'systemd-nspawn'],
];
const POD = /pod([0-9a-f]{8}(?:[-_][0-9a-f]{4}){3}[-_][0-9a-f]{12}|[0-9a-f]{32})(?:\.slice)?$/;
const ENGINES: ReadonlyMap<string, string> = new Map([
  ['docker', 'docker'],
  ['libpod', 'podman'],
  ['libpod-payload', 'podman'],
  ['libpod_parent', 'podman'],
  ['crio', 'cri-o'],
  ['cri-containerd', 'containerd'],
  ['nerdctl', 'containerd'],
]);
/** Names that engines and host names permit. */
const NAME = /^[\w][\w.-]{0,127}$/;
const ID = /^[0-9a-f]{64}$/;

/** Finds the innermost container in `/proc/PID/cgroup`, lines of `number:controllers:path`. Null if there is none. */
export function parseCgroup(text: string): CgroupContainer | null {
  for (const line of text.split('\n')) {
    const found = containerIn(line.split(':').slice(2).join(':'));
    if (found !== null) return found;
  }
  return null;
}

function containerIn(cgroup: string): CgroupContainer | null {
  const parts = cgroup.split('/').map(withoutEscapes);
  for (let length = parts.length; length > 0; length--) {
    const above = parts[length - 2] ?? '';
    const [, prefix, id] = WITH_ID.exec(parts[length - 1] ?? '') ?? [];
    if (id !== undefined) {
      const uids = parts.slice(0, length - 1).flatMap((part) => POD.exec(part)?.[1]?.replaceAll('_', '-') ?? []);
      return { engine: ENGINES.get(prefix ?? above) ?? null, id, podUid: uids.at(-1) ?? null };
    }
    const path = parts.slice(0, length).join('/');
    for (const [pattern, engine] of NAMED) {
      const name = pattern.exec(path)?.[1];
      if (name !== undefined && isName(name)) return { engine, id: name, podUid: null };
    }
  }
  return null;
}

/** systemd writes `-` within a name as `\x2d`. */
function withoutEscapes(part: string): string {
  return part.replace(/\\x([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** The command line of conmon, which Podman and CRI-O start beside each container: `conmon -c <id> … -n <name> …`. */
export function parseConmon(argv: readonly string[]): StartedContainer | null {
  if (argv[0]?.split('/').at(-1) !== 'conmon') return null;
  const id = argv[argv.indexOf('-c') + 1] ?? '';
  const name = argv.includes('-n') ? argv[argv.indexOf('-n') + 1] : undefined;
  return ID.test(id) ? { id, name: name !== undefined && isName(name) ? name : null } : null;
}

/** `k8s_<container>_<pod>_<namespace>_<uid>_<attempt>`: how the kubelet names containers of Docker and CRI-O. */
export function parsePodName(name: string): PodContainer | null {
  const [mark, container, pod, namespace, uid] = name.split('_');
  if (mark !== 'k8s' || !container || !pod || !namespace || !uid) return null;
  return { namespace, pod, container };
}

/** `<pod>_<namespace>_<container>-<id>.log`: the names in `/var/log/containers` of a node of Kubernetes. */
export function findPodLog(names: readonly string[], id: string): PodContainer | null {
  const name = names.find((candidate) => candidate.endsWith(`-${id}.log`));
  const [pod, namespace, container] = name?.slice(0, -`-${id}.log`.length).split('_') ?? [];
  return pod && namespace && container ? { namespace, pod, container } : null;
}

/** Docker's file on a container has `"Name":"/web-1"`. */
export function dockerName(config: unknown): string | null {
  const name: unknown = typeof config === 'object' && config !== null && 'Name' in config ? config.Name : null;
  return typeof name === 'string' && isName(name.replace(/^\//, '')) ? name.replace(/^\//, '') : null;
}

export function isName(text: string): boolean {
  return NAME.test(text);
}
