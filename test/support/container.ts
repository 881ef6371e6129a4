/** Namespaces as a container has them, made with util-linux alone. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');

interface ContainerOptions {
  /** With users of its own: the one who starts it is its root. */
  readonly isRootless?: boolean;
  /** The same with many users: its root is another user outside. */
  readonly hasUserRange?: boolean;
  readonly hostname?: string;
  /** Run inside, before the program: a shell command. */
  readonly prepare?: string;
}

/** Only somebody outside can give it its users. The first process keeps it until there is another. */
const WITH_RANGE = `unshare -U sleep 5 &
until [ "$(readlink /proc/$!/ns/user)" != "$(readlink /proc/self/ns/user)" ]; do :; done
for map in uid_map gid_map; do echo '0 100000 65536' > "/proc/$!/$map"; done
exec nsenter -t $! -U -S 0 -G 0 "$@"`;

/** What a program is started by to have its own network, processes, mounts, /tmp, /dev/shm and host name. */
export function inContainer(options: ContainerOptions = {}): string[] {
  const { isRootless = false, hasUserRange = false, hostname = 'box', prepare = 'true' } = options;
  const script = [
    'set -e',
    'ip link set lo up',
    `hostname ${hostname}`,
    `export HOSTNAME=${hostname}`,
    // What runs must stay visible, also where this project lies in /tmp.
    'mount --rbind /tmp /mnt',
    'mount -t tmpfs -o mode=1777 tmpfs /tmp',
    `case ${ROOT} in /tmp/*) mkdir -p ${ROOT}; mount --rbind "/mnt/\${0#/tmp/}" ${ROOT};; esac`,
    'umount -l /mnt',
    'mount -t tmpfs -o mode=1777 tmpfs /dev/shm',
    prepare,
    'shift',
    'exec "$@"',
  ].join('\n');
  const namespaces = ['-mpnuif', '--kill-child', '--mount-proc', ...(isRootless ? ['-r'] : [])];
  const command = ['unshare', ...namespaces, 'sh', '-c', script, ROOT, 'sh'];
  return hasUserRange ? ['sh', '-c', WITH_RANGE, 'sh', ...command] : command;
}

/** Whether this machine lets us make such containers. */
export function canContain(): boolean {
  const [program = '', ...args] = inContainer();
  return process.getuid?.() === 0 && spawnSync(program, [...args, 'true'], { stdio: 'ignore' }).status === 0;
}
