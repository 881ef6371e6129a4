/** Containers of Podman: nothing is fetched, their files are those of this machine. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** crun takes only one kind of control groups at a time: the old ones are hidden from it, and from it alone. */
const UNIFIED = `if [ ! -f /sys/fs/cgroup/cgroup.controllers ]; then
  umount -R /sys/fs/cgroup && mount -t cgroup2 none /sys/fs/cgroup
fi
exec "$@"`;
/** Less than what this machine allows: to allow more takes a right that containers of tests may lack. */
const LIMITS = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024'];

export class Podman {
  private readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-podman-'));
  private readonly names: string[] = [];

  /** Why there is none; null: there is one. */
  static whyNot(): string | null {
    if (process.getuid?.() !== 0) return 'the tests do not run as root';
    if (spawnSync('podman', ['--version']).status !== 0) return 'podman is not installed (Debian: podman, crun)';
    const podman = new Podman();
    const { status, stderr } = podman.try('probe', ['/bin/true']);
    podman.remove();
    return status === 0 ? null : `podman does not run here: ${stderr.trim().split('\n').at(-1)}`;
  }

  /** `command` is one of this machine, with the folders /usr and `shown`. Gives the pid of the container's first process. */
  run(name: string, command: readonly string[], shown: string): number {
    const { status, stderr } = this.try(name, command, ['-v', `${shown}:${shown}:ro`]);
    if (status !== 0) throw new Error(`podman did not start ${name}: ${stderr}`);
    return Number(this.podman(['inspect', '-f', '{{.State.Pid}}', name]).stdout);
  }

  idOf(name: string): string {
    return this.podman(['inspect', '-f', '{{.Id}}', name]).stdout.trim();
  }

  remove(): void {
    if (this.names.length > 0) this.podman(['rm', '-f', '-t', '0', ...this.names.splice(0)]);
    fs.rmSync(this.folder, { recursive: true, force: true });
  }

  private try(name: string, command: readonly string[], options: readonly string[] = []) {
    this.names.push(name);
    const place = ['--cgroups=disabled', '--network=none', '--name', name, '-v', '/usr:/usr:ro', ...LIMITS, ...options];
    return this.podman(['run', '-d', ...place, '--rootfs', this.root(), ...command]);
  }

  private podman(args: readonly string[]) {
    const { folder } = this;
    const own = ['--root', `${folder}/root`, '--runroot', `${folder}/run`, '--tmpdir', `${folder}/tmp`];
    const podman = ['podman', ...own, '--cgroup-manager=cgroupfs', '--events-backend=file', ...args];
    // The standard streams of a container are those of its keeper, which outlives the command.
    return spawnSync('unshare', ['-m', 'sh', '-c', UNIFIED, 'sh', ...podman], { encoding: 'utf8', timeout: 60_000 });
  }

  /** An empty system, into which /usr is mounted. */
  private root(): string {
    const root = path.join(this.folder, 'rootfs');
    if (fs.existsSync(root)) return root;
    for (const name of ['usr', 'proc', 'sys', 'dev', 'tmp', 'etc', 'run'])
      fs.mkdirSync(path.join(root, name), { recursive: true });
    for (const name of ['bin', 'sbin', 'lib', 'lib64'])
      if (fs.existsSync(`/usr/${name}`)) fs.symlinkSync(`usr/${name}`, path.join(root, name));
    return root;
  }
}
