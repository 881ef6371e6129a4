/**
 * The keys of dashboards. A link stays in terminals and in the history of browsers, so it carries a code that works once
 * and not for long. The page gets a key for it that ends after some hours, and with the daemon: it is in this memory alone,
 * so that whoever takes the daemon's port after its end can have nothing of a page that works.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { SubstrateError } from '../model/errors.ts';
import { EVERYTHING, Permissions } from '../model/permissions.ts';
import type { DashboardCode, DashboardKey } from '../model/wire.ts';
import type { Caller, KeyAuthority } from './caller.ts';

const CODE_MS = 2 * 60_000;
const KEY_MS = 12 * 60 * 60_000;
/** Of one key, of each kind; the oldest gives way. */
const MAX_HELD = 32;
const SECRET_BYTES = 32;
const KEY_PREFIX = 'sk_dashboard_';

interface Held {
  readonly digest: Buffer;
  readonly expiresAt: number;
  /** Who asked for it: the key has no more rights than that one, and ends with it. */
  readonly caller: Caller;
  /** The key of that one, for other hosts: they know no keys of this dashboard. Null in no fleet. */
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

  /** The key that other hosts know in place of one of a dashboard. Any other is what it is; null: there is none. */
  keyBehind(presented: string | undefined): string | null {
    if (presented === undefined) return null;
    return this.callerWith(presented) === null ? presented : (find(this.issued, presented)?.key ?? null);
  }

  /** Null: it is no key of a dashboard. Throws `invalid_key` or `expired_key`. */
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

/** What comes of a key does not outlive it. */
function endOf(lifeMs: number, { expiresAt }: Caller): number {
  return Math.min(Date.now() + lifeMs, expiresAt ?? Number.POSITIVE_INFINITY);
}

/** To the end, so that the time taken tells nothing. */
function find(all: readonly Held[], text: string): Held | null {
  const digest = digestOf(text);
  let found: Held | null = null;
  for (const held of all) if (timingSafeEqual(held.digest, digest)) found = held;
  return found;
}

/** `keptMs`: how long it can still be told that one has expired. */
function withNew(all: readonly Held[], held: Held, keptMs: number): Held[] {
  const isOwn = ({ caller }: Held) => caller.keyId === held.caller.keyId;
  const kept = all.filter(({ expiresAt }) => expiresAt + keptMs > Date.now());
  const surplus = new Set(kept.filter(isOwn).slice(0, -(MAX_HELD - 1)));
  return [...kept.filter((other) => !surplus.has(other)), held];
}
