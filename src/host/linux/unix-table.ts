/**
 * `/proc/PID/net/unix`: a heading, then `num: refcount protocol flags type state inode path` per socket, flags in hex.
 * The kernel writes a path unescaped, and it may hold newlines: so anybody can forge lines that look like somebody
 * else's socket.
 */

export interface UnixListener {
  readonly path: string;
  readonly inode: string;
}

const RECORD =
  /^(?:[0-9a-f]{8}|[0-9a-f]{16}): [0-9A-F]{8} [0-9A-F]{8} ([0-9A-F]{8}) [0-9A-F]{4} [0-9A-F]{2} {1,5}(\d+)(?: (.*))?$/s;
/** SO_ACCEPTCON: `listen` was called. */
const LISTENS = 0x10000;

/**
 * The text may be cut off at a read limit: a last line without its newline is ignored. A path that continues in a line
 * that is no record is not known, and a socket with two lines is not trusted in either. A number that no other line has
 * may still belong to a socket of another kind: `inodesOf` shows that.
 */
export function parseUnixListeners(table: string): UnixListener[] {
  const lines = table.split('\n');
  lines.pop();
  const records = lines.map((line) => RECORD.exec(line));
  const seen = new Map<string, number>();
  for (const [, , inode = ''] of records.filter((record) => record !== null))
    seen.set(inode, (seen.get(inode) ?? 0) + 1);
  return records.flatMap((record, at) => {
    const [, flags = '', inode = '', path = ''] = record ?? [];
    const isWhole = at === records.length - 1 || records[at + 1] !== null;
    const isListener = (Number.parseInt(flags, 16) & LISTENS) !== 0 && path.startsWith('/');
    return isListener && isWhole && seen.get(inode) === 1 ? [{ path, inode }] : [];
  });
}

/**
 * Tables in which everybody can see the numbers of sockets that are not unix sockets. Each has them in its tenth
 * column.
 */
export const OTHER_TABLES = [
  'tcp',
  'tcp6',
  'udp',
  'udp6',
  'udplite',
  'udplite6',
  'raw',
  'raw6',
  'icmp',
  'icmp6',
  'netlink',
];

export function inodesOf(table: string): string[] {
  return table.split('\n').flatMap((line) => line.trim().split(/\s+/)[9] ?? []);
}
