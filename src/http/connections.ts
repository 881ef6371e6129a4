/**
 * Keeps the number of connections limited. If the newest were refused, a user without a key, or a single key, could
 * take them all and keep everybody else out. So the oldest are closed: first those without a valid key, then idle ones.
 * Watchers are never idle, so they have a share of their own.
 */
import type { Duplex } from 'node:stream';
import { SubstrateError } from '../model/errors.ts';

export interface ConnectionShares {
  /** The limit of connections that are no watchers. */
  readonly maxPlain: number;
  readonly maxWatchers: number;
}

export class Connections {
  private readonly shares: ConnectionShares;
  private readonly isBusy: (socket: Duplex) => boolean;
  /** Oldest first; true once a valid key has arrived over it. */
  private readonly plain = new Map<Duplex, boolean>();
  /** By connection, with its key. */
  private readonly watchers = new Map<Duplex, string | null>();
  /** Watchers without a socket. */
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

  /** A known socket that comes back (see plain-upgrade.ts) keeps its entry. */
  add(socket: Duplex): void {
    if (this.plain.has(socket)) return;
    this.plain.set(socket, false);
    socket.once('close', () => {
      this.plain.delete(socket);
      this.watchers.delete(socket);
    });
    if (this.plain.size > this.shares.maxPlain) this.oldestBut(socket)?.destroy();
  }

  /** A valid key has arrived over it. */
  noteKey(socket: Duplex): void {
    if (this.plain.has(socket)) this.plain.set(socket, true);
  }

  /** Throws `overloaded`. */
  becomeWatcher(socket: Duplex, keyId: string | null): void {
    this.checkRoom(keyId);
    this.plain.delete(socket);
    this.watchers.set(socket, keyId);
  }

  /** Adds a watcher without a socket. Returns a function that removes it. Throws `overloaded`. */
  addRemoteWatcher(keyId: string | null): () => void {
    this.checkRoom(keyId);
    const watcher = {};
    this.remote.set(watcher, keyId);
    return () => this.remote.delete(watcher);
  }

  /** A key may have as many as there is room left, so that the next key finds some, too. */
  private checkRoom(keyId: string | null): void {
    const all = [...this.watchers.values(), ...this.remote.values()];
    const own = all.filter((other) => other === keyId).length;
    if (own < this.shares.maxWatchers - all.length) return;
    const message = `${all.length} connections watch, ${own} of them by this key: there is no room for more.`;
    throw new SubstrateError('overloaded', message);
  }

  /** The newest connection could not present a key yet. */
  private oldestBut(newcomer: Duplex): Duplex | undefined {
    const all = [...this.plain].filter(([socket]) => socket !== newcomer);
    const found = all.find(([, hasKey]) => !hasKey) ?? all.find(([socket]) => !this.isBusy(socket));
    return found?.[0];
  }
}
