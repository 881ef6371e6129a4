/** `/proc/PID/mountinfo`: `id parent major:minor root mount-point options …` per mount; spaces are written `\040`. */

/** True when files below this path cannot be mapped as programs. Later mounts cover earlier ones. */
export function isNoExec(mountinfo: string, path: string): boolean {
  let covering = { point: '', options: '' };
  for (const line of mountinfo.split('\n')) {
    const [, , , , escaped = '', options = ''] = line.split(' ');
    const point = escaped.replace(/\\([0-7]{3})/g, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    );
    const isAbove = point === '/' || path === point || path.startsWith(`${point}/`);
    if (point !== '' && isAbove && point.length >= covering.point.length) covering = { point, options };
  }
  return covering.options.split(',').includes('noexec');
}
