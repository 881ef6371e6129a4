/** Identifies the caller of a request. */
import type { IncomingMessage } from 'node:http';
import { SubstrateError } from '../model/errors.ts';
import type { KeyRecord } from '../model/key-record.ts';
import { EVERYTHING, Permissions } from '../model/permissions.ts';
import type { Caller, KeyAuthority } from './caller.ts';
import type { DashboardKeys } from './dashboard-keys.ts';
import { headerValues } from './header-values.ts';

export const ANONYMOUS: Caller = { keyId: 'anonymous', record: null, permissions: EVERYTHING, expiresAt: null };

export class Authenticator {
  private readonly keys: KeyAuthority;
  private readonly dashboardKeys: DashboardKeys;
  private readonly isKeyRequired: boolean;

  constructor(keys: KeyAuthority, dashboardKeys: DashboardKeys, isKeyRequired: boolean) {
    this.keys = keys;
    this.dashboardKeys = dashboardKeys;
    this.isKeyRequired = isKeyRequired;
  }

  identify(presented: string | undefined): Caller {
    if (!this.isKeyRequired) return ANONYMOUS;
    return this.dashboardKeys.callerWith(presented) ?? callerOf(this.keys.authenticate(presented));
  }

  /** The key for requests to other hosts: a key of the dashboard is valid for this daemon only. Null if there is none. */
  keyForOthers(presented: string | undefined): string | null {
    return this.dashboardKeys.keyBehind(presented);
  }

  /**
   * The current permissions of a caller, since a request may wait long for a person or its turn. Throws if its key is
   * no longer valid.
   */
  permissionsNow({ record, permissions, expiresAt }: Caller): Permissions {
    if (record === null) return permissions;
    if (expiresAt !== null && expiresAt <= Date.now())
      throw new SubstrateError('expired_key', 'The key of this request has expired since it was sent.');
    const now = this.keys.recheck(record);
    if (now !== null) return new Permissions(now);
    throw new SubstrateError('disabled_key', 'The key of this request was disabled or deleted since it was sent.');
  }
}

/** Records are immutable: a changed one is a new object. */
const callers = new WeakMap<KeyRecord, Caller>();

function callerOf(record: KeyRecord): Caller {
  const known = callers.get(record);
  if (known !== undefined) return known;
  const { id: keyId, expires_at } = record;
  const expiresAt = typeof expires_at === 'string' ? Date.parse(expires_at) : null;
  const caller = { keyId, record, permissions: new Permissions(record), expiresAt };
  callers.set(record, caller);
  return caller;
}

export function presentedKey(req: IncomingMessage, { query, bearer }: OtherPlaces): string | undefined {
  return headerKey(req) || (bearer ? bearerKey(req) : undefined) || queryKey(query);
}

/** Places of a key besides its own header. */
interface OtherPlaces {
  /** For WebSockets, since browsers cannot set their headers. Null if the URL does not count. */
  readonly query: URLSearchParams | null;
  /** Prometheus and many MCP clients can set only `Authorization: Bearer`. */
  readonly bearer: boolean;
}

/**
 * Two keys at once, wherever they are, are joined to a text that matches none: the daemon does not guess which was
 * meant.
 */
function headerKey(req: IncomingMessage): string | undefined {
  const values = headerValues(req, 'x-substrate-key');
  return values.length === 0 ? undefined : values.join(', ');
}

function bearerKey(req: IncomingMessage): string | undefined {
  return /^Bearer +(.+)$/i.exec(headerValues(req, 'authorization').join(', '))?.[1];
}

function queryKey(query: URLSearchParams | null): string | undefined {
  const given = query?.getAll('key') ?? [];
  return given.length === 0 ? undefined : given.join(', ');
}
