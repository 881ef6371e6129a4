/**
 * The keys of dashboards. A link stays in terminals and in the history of browsers, so it has a code that works once
 * and for a short time. The page exchanges it for a key that ends after some hours, and with the daemon: it is only in
 * this memory, so a program that takes over the daemon's port later gets nothing useful from a page.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { SubstrateError } from '../model/errors.ts';
import { EVERYTHING, Permissions } from '../model/permissions.ts';
import type { DashboardCode, DashboardKey } from '../model/wire.ts';
import type { Caller, KeyAuthority } from './caller.ts';

const CODE_MS = 2 * 60_000;
const KEY_MS = 12 * 60 * 60_000;
/** The limit per key, of each kind; the oldest is dropped. */
const MAX_HELD = 32;
const SECRET_BYTES = 32;
const KEY_PREFIX = 'sk_dashboard_';

interface Held {
  readonly digest: Buffer;
  readonly expiresAt: number;
  /** The key that requested it. The new key has the same permissions, and ends with it. */
  readonly caller: Caller;
  /** That key itself, for other hosts, which know no keys of this dashboard. Null without a fleet. */
  readonly key: string | null;
}

export class DashboardKeys {
  private readonly keys: Pick<KeyAuthority, 'recheck'>;
  private codes: readonly Held[] = [];
  private issued: readonly Held[] = [];

  constructor(keys: Pick<KeyAuthority, 'recheck'>) {
    this.keys = keys;
  }

  /** `key`: what other hosts are to be asked with. */
  makeCode(caller: Caller, key: string | null): DashboardCode {
    const code = secret();
    const expiresAt = endOf(CODE_MS, caller);
    this.codes = withNew(this.codes, { digest: digestOf(code), expiresAt, caller, key }, 0);
    return { code, expires_at: new Date(expiresAt).toISOString() };
  }

  /** Throws `invalid_key`. */
  redeem(code: string): DashboardKey {
    const held = find(this.codes, code);
    this.codes = this.codes.filter((other) => other !== held);
    if (held === null || held.expiresAt <= Date.now()) {
      const message = 'The code of this link was used already, or is too old. For a new link: substrate up';
      throw new SubstrateError('invalid_key', message);
    }
    const key = KEY_PREFIX + secret();
    const expiresAt = endOf(KEY_MS, held.caller);
    this.issued = withNew(this.issued, { ...held, digest: digestOf(key), expiresAt }, KEY_MS);
    return { key, expires_at: new Date(expiresAt).toISOString() };
  }

  /** The key behind a key of a dashboard, for other hosts. Any other key is returned as it is; null if there is none. */
  keyBehind(presented: string | undefined): string | null {
    if (presented === undefined) return null;
    return this.callerWith(presented) === null ? presented : (find(this.issued, presented)?.key ?? null);
  }

  /** Null if it is no key of a dashboard. Throws `invalid_key` or `expired_key`. */
  callerWith(presented: string | undefined): Caller | null {
    if (presented === undefined || !presented.startsWith(KEY_PREFIX)) return null;
    const held = find(this.issued, presented);
    const again = 'For a new link: substrate up';
    if (held === null) throw new SubstrateError('invalid_key', `The daemon has not issued this key. ${again}`);
    const { expiresAt, caller } = held;
    if (expiresAt <= Date.now()) throw new SubstrateError('expired_key', `The key of this page has expired. ${again}`);
    const record = caller.record === null ? null : this.keys.recheck(caller.record);
    if (record === null && caller.record !== null) {
      throw new SubstrateError('invalid_key', `The key that asked for the link to this page is gone. ${again}`);
    }
    const permissions = record === null ? EVERYTHING : new Permissions(record);
    return { keyId: caller.keyId, record, permissions, expiresAt };
  }
}

function secret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Never later than the key that it came from. */
function endOf(lifeMs: number, { expiresAt }: Caller): number {
  return Math.min(Date.now() + lifeMs, expiresAt ?? Number.POSITIVE_INFINITY);
}

/** Compares with all, so that the time taken reveals nothing. */
function find(all: readonly Held[], text: string): Held | null {
  const digest = digestOf(text);
  let found: Held | null = null;
  for (const held of all) if (timingSafeEqual(held.digest, digest)) found = held;
  return found;
}

/** `keptMs`: how long an expired one is still recognised as expired. */
function withNew(all: readonly Held[], held: Held, keptMs: number): Held[] {
  const isOwn = ({ caller }: Held) => caller.keyId === held.caller.keyId;
  const kept = all.filter(({ expiresAt }) => expiresAt + keptMs > Date.now());
  const surplus = new Set(kept.filter(isOwn).slice(0, -(MAX_HELD - 1)));
  return [...kept.filter((other) => !surplus.has(other)), held];
}
