/** `/proc/PID/net/unix`: a heading, then `num: refcount protocol flags type state inode path` per socket, flags in hex. */

export interface UnixListener {
  readonly path: string;
  readonly inode: string;
}

const LINE = /^[0-9a-f]+: [0-9A-F]+ [0-9A-F]+ ([0-9A-F]{8}) [0-9A-F]+ [0-9A-F]+ +(\d+) (\/.*)$/;
/** SO_ACCEPTCON: `listen` was called. */
const LISTENS = 0x10000;

/** The text may be cut off at a read limit: a last line without its newline is ignored. */
export function parseUnixListeners(table: string): UnixListener[] {
  const lines = table.split('\n');
  lines.pop();
  return lines.flatMap((line) => {
    const [, flags = '', inode = '', path = ''] = LINE.exec(line) ?? [];
    return (Number.parseInt(flags, 16) & LISTENS) === 0 ? [] : [{ path, inode }];
  });
}
