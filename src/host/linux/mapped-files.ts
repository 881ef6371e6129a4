const DELETED = ' (deleted)';

/**
 * The kernel marks a path whose file was unlinked, as after an upgrade. Callers recognise a program by the name without
 * the mark.
 */
export function withoutDeletedMark(path: string): string {
  return path.endsWith(DELETED) ? path.slice(0, -DELETED.length) : path;
}

/**
 * `/proc/PID/maps`: `from-to perms offset dev inode   path`. Names in brackets (`[heap]`, `[anon:any text/at all]`)
 * are no files. The text may be cut off at a read limit: a last line without its newline is ignored.
 */
export function parseMappedFiles(maps: string): string[] {
  const paths = new Set<string>();
  let start = 0;
  for (let end = maps.indexOf('\n'); end !== -1; end = maps.indexOf('\n', start)) {
    const line = maps.slice(start, end);
    start = end + 1;
    const slash = line.indexOf('/');
    if (slash < 1 || line[slash - 1] !== ' ') continue;
    const bracket = line.indexOf('[');
    if (bracket !== -1 && bracket < slash) continue;
    paths.add(withoutDeletedMark(line.slice(slash)));
  }
  return [...paths];
}
