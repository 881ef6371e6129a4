/**
 * Who holds connections. Were whoever comes last refused, a user without a key, or one key, could take all there are and
 * keep everybody else out. So it is the oldest that give way: those over which no key has come, then those that are idle.
 * Watchers are never idle: they have a share of their own.
 */
import type { Duplex } from 'node:stream';
import { SubstrateError } from '../model/errors.ts';

export interface ConnectionShares {
  /** Of all connections that are no watchers. */
  readonly maxPlain: number;
  readonly maxWatchers: number;
}

export class Connections {
  private readonly shares: ConnectionShares;
  private readonly isBusy: (socket: Duplex) => boolean;
  /** Oldest first; true: a key has come over it. */
  private readonly plain = new Map<Duplex, boolean>();
  /** With the key of each. */
  private readonly watchers = new Map<Duplex, string | null>();
  /** Those that came by another way than a socket. */
  private readonly remote = new Map<object, string | null>();

  constructor(shares: ConnectionShares, isBusy: (socket: Duplex) => boolean) {
    this.shares = shares;
    this.isBusy = isBusy;
  }

  get hasWatchers(): boolean {
    return this.watchers.size + this.remote.size > 0;
  }

  all(): Duplex[] {
    return [...this.plain.keys(), ...this.watchers.keys()];
  }

  /** One that is known already, and comes back (see plain-upgrade.ts), stays as it is. */
  add(socket: Duplex): void {
    if (this.plain.has(socket)) return;
    this.plain.set(socket, false);
    socket.once('close', () => {
      this.plain.delete(socket);
      this.watchers.delete(socket);
    });
    if (this.plain.size > this.shares.maxPlain) this.oldestBut(socket)?.destroy();
  }

  /** It has shown a key that lets in. */
  noteKey(socket: Duplex): void {
    if (this.plain.has(socket)) this.plain.set(socket, true);
  }

  /** Throws `overloaded`. */
  becomeWatcher(socket: Duplex, keyId: string | null): void {
    this.checkRoom(keyId);
    this.plain.delete(socket);
    this.watchers.set(socket, keyId);
  }

  /** One without a socket. Returns how to leave. Throws `overloaded`. */
  addRemoteWatcher(keyId: string | null): () => void {
    this.checkRoom(keyId);
    const watcher = {};
    this.remote.set(watcher, keyId);
    return () => this.remote.delete(watcher);
  }

  /** A key may have as many as there is room left: whoever comes next finds some, too. */
  private checkRoom(keyId: string | null): void {
    const all = [...this.watchers.values(), ...this.remote.values()];
    const own = all.filter((other) => other === keyId).length;
    if (own < this.shares.maxWatchers - all.length) return;
    const message = `${all.length} connections watch, ${own} of them by this key: there is no room for more.`;
    throw new SubstrateError('overloaded', message);
  }

  /** Whoever has just come could not show a key yet. */
  private oldestBut(newcomer: Duplex): Duplex | undefined {
    const all = [...this.plain].filter(([socket]) => socket !== newcomer);
    const found = all.find(([, hasKey]) => !hasKey) ?? all.find(([socket]) => !this.isBusy(socket));
    return found?.[0];
  }
}
