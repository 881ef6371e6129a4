// Runs a command where it sees only its own processes, with a network and a /tmp of its own: a daemon that tests start
// attaches to every program it sees, and Node's inspector has one port for the whole machine. Needs root on Linux;
// elsewhere `aloneCommand` returns null. By hand: `node scripts/alone.mjs npx vitest run --project e2e`.
import { spawnSync } from 'node:child_process';
import { ROOT } from './install.mjs';

const NAMESPACES = ['--pid', '--mount', '--net', '--ipc', '--fork', '--kill-child', '--mount-proc'];
/** The shell stays, as the parent of orphans. The needed parts of the old /tmp are mounted at their old place. */
const SCRIPT = `set -e
ip link set lo up
mount --rbind /tmp /mnt
mount -t tmpfs -o mode=1777 tmpfs /tmp
for folder in "$0" "$HOME" "$TMPDIR"; do
  case "$folder" in
    /tmp/?*)
      mkdir -p "$folder"
      mount --rbind "/mnt/\${folder#/tmp/}" "$folder" ;;
  esac
done
umount -l /mnt
cd "$0"
set +e
"$@"
exit $?`;

/** Wraps a command so that it runs alone. */
export function aloneCommand(command) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null;
  const wrapped = ['unshare', ...NAMESPACES, 'sh', '-c', SCRIPT, ROOT];
  const [program, ...args] = wrapped;
  return spawnSync(program, [...args, 'true'], { stdio: 'ignore' }).status === 0 ? [...wrapped, ...command] : null;
}

if (process.argv[1] === import.meta.filename) {
  const [program, ...args] = aloneCommand(process.argv.slice(2)) ?? process.argv.slice(2);
  process.exit(spawnSync(program, args, { stdio: 'inherit' }).status ?? 1);
}
