/** Namespaces as a container has them, made with util-linux alone. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');

interface ContainerOptions {
  /** With users of its own. */
  readonly isRootless?: boolean;
  readonly hostname?: string;
  /** Run inside, before the program: a shell command. */
  readonly prepare?: string;
}

/** What a program is started by to have its own network, processes, mounts, /tmp and host name. */
export function inContainer({
  isRootless = false,
  hostname = 'box',
  prepare = 'true',
}: ContainerOptions = {}): string[] {
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
    prepare,
    'shift',
    'exec "$@"',
  ].join('\n');
  const namespaces = ['-mpnuif', '--kill-child', '--mount-proc', ...(isRootless ? ['-r'] : [])];
  return ['unshare', ...namespaces, 'sh', '-c', script, ROOT, 'sh'];
}

/** Whether this machine lets us make such containers. */
export function canContain(): boolean {
  const [program = '', ...args] = inContainer();
  return process.getuid?.() === 0 && spawnSync(program, [...args, 'true'], { stdio: 'ignore' }).status === 0;
}
