/** `substrate/client` for Node, which has no WebSocket of its own before version 22; the key may come from SUBSTRATE_KEY. */
import WebSocket from 'ws';
import { type SubstrateOptions, Substrate as Unconnected } from './substrate.ts';
import type { SocketLike } from './watch.ts';

export * from './index.ts';

function openSocket(url: string): SocketLike {
  return new WebSocket(url, { perMessageDeflate: false }) as SocketLike;
}

export class Substrate extends Unconnected {
  constructor(options: SubstrateOptions = {}) {
    const { SUBSTRATE_KEY } = process.env;
    super({ openSocket, ...(SUBSTRATE_KEY === undefined ? {} : { key: SUBSTRATE_KEY }), ...options });
  }
}
