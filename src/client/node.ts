/**
 * `substrated/client` for Node, which has no WebSocket of its own before version 22; the key may come from SUBSTRATE_KEY,
 * and the address from SUBSTRATE_URL. On loopback it speaks only to processes of its own user and of root.
 */
import WebSocket from 'ws';
import { fetchFromOwn, watchAgent } from './own-peer.ts';
import { type SubstrateOptions, Substrate as Unconnected } from './substrate.ts';
import type { SocketLike } from './watch.ts';

export * from './index.ts';
export { canTellPeers } from './own-peer.ts';

function openSocket(url: string): SocketLike {
  // With TLS the certificate says who answers.
  const agent = url.startsWith('ws:') ? { agent: watchAgent() } : {};
  return new WebSocket(url, { perMessageDeflate: false, ...agent }) as SocketLike;
}

export class Substrate extends Unconnected {
  constructor(options: SubstrateOptions = {}) {
    const { SUBSTRATE_KEY, SUBSTRATE_URL } = process.env;
    super({
      openSocket,
      fetch: fetchFromOwn,
      ...(SUBSTRATE_KEY === undefined ? {} : { key: SUBSTRATE_KEY }),
      // An empty variable counts as none.
      ...(SUBSTRATE_URL ? { baseUrl: SUBSTRATE_URL } : {}),
      ...options,
    });
  }
}
