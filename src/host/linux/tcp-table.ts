/**
 * `/proc/PID/net/tcp` and `tcp6`: a heading, then per socket
 * `sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode …`, addresses as `HEX:PORT`.
 * An address is printed as one (IPv4) or four (IPv6) 32-bit words in the byte order of the machine, the port as a number.
 */

import { SocketAddress } from 'node:net';
import { endianness } from 'node:os';
import type { Listener } from '../../model/process.ts';

export interface ListeningSocket extends Listener {
  readonly inode: string;
}

const LISTEN_STATE = '0A';
const ADDRESS = /^([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4})$/;
const INODE = /^\d+$/;

/** The client side of a connection; its socket is still open. */
export interface CallingSocket {
  /** The address of the other side. */
  readonly remote: Listener;
  readonly uid: number;
  readonly inode: string;
}

/** ESTABLISHED, and CLOSE_WAIT: the other side has closed it. */
const CALLING_STATES = new Set(['01', '08']);

export function parseCallingSockets(table: string): CallingSocket[] {
  return table.split('\n').flatMap((line) => {
    const [, , remote = '', state = '', , , , uid = '', , inode = ''] = line.trim().split(/\s+/);
    const [, address = '', port = ''] = ADDRESS.exec(remote) ?? [];
    if (address === '' || !CALLING_STATES.has(state) || !INODE.test(uid) || !INODE.test(inode)) return [];
    return [{ remote: { address: decodeAddress(address), port: Number.parseInt(port, 16) }, uid: Number(uid), inode }];
  });
}

/** The text may be cut off at a read limit: a last line without its newline is ignored. */
export function parseListeningSockets(table: string): ListeningSocket[] {
  const sockets: ListeningSocket[] = [];
  const lines = table.split('\n');
  lines.pop();
  for (const line of lines) {
    if (!line.includes(` ${LISTEN_STATE} `)) continue;
    const columns = line.trim().split(/\s+/);
    const inode = columns[9];
    const local = ADDRESS.exec(columns[1] ?? '');
    if (columns[3] !== LISTEN_STATE || local === null || inode === undefined || !INODE.test(inode)) continue;
    const [, address = '', port = ''] = local;
    sockets.push({ address: decodeAddress(address), port: Number.parseInt(port, 16), inode });
  }
  return sockets;
}

/** `hex` is 8 or 32 hex digits. */
export function decodeAddress(hex: string, order: 'LE' | 'BE' = endianness()): string {
  const bytes = Buffer.from(hex, 'hex');
  if (order === 'LE') bytes.swap32();
  if (bytes.length === 4) return bytes.join('.');
  const groups: string[] = [];
  for (let at = 0; at < bytes.length; at += 2) groups.push(bytes.readUInt16BE(at).toString(16));
  // Returns the shortened form that other tools print (`::1`, `::ffff:127.0.0.1`).
  return new SocketAddress({ family: 'ipv6', address: groups.join(':') }).address;
}
