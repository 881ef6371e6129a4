/** `substrated/client` for browsers, and for other platforms that have a WebSocket of their own. */
import { type SubstrateOptions, Substrate as Unconnected } from './substrate.ts';
import type { SocketLike } from './watch.ts';

export {
  ActionFailedError,
  ConnectionError,
  ForeignListenerError,
  SubstrateError,
  VerificationError,
} from './errors.ts';
export type { ActionOptions, App, CallOptions, KeysOption, StateOptions, SubstrateOptions } from './substrate.ts';
export type * from './types.ts';
export type { OpenSocket, SocketLike, WatchEvent } from './watch.ts';

/** A class of the platform, which the compiler's settings do not include. */
interface Platform {
  readonly WebSocket?: new (url: string) => SocketLike;
}

function openSocket(url: string): SocketLike {
  const { WebSocket } = globalThis as Platform;
  if (!WebSocket) throw new Error('There is no WebSocket here: pass one as openSocket.');
  return new WebSocket(url);
}

export class Substrate extends Unconnected {
  constructor(options: SubstrateOptions = {}) {
    super({ openSocket, ...options });
  }
}
