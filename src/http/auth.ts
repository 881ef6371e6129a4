/** Who is asking. */
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

  /** The key that other hosts are asked with: one of the dashboard is for this daemon alone. Null: there is none. */
  keyForOthers(presented: string | undefined): string | null {
    return this.dashboardKeys.keyBehind(presented);
  }

  /** What a caller may do now, as a request may wait long for a person or its turn. Throws when its key is dead. */
  permissionsNow({ record, permissions, expiresAt }: Caller): Permissions {
    if (record === null) return permissions;
    if (expiresAt !== null && expiresAt <= Date.now())
      throw new SubstrateError('expired_key', 'The key of this request has expired since it was sent.');
    const now = this.keys.recheck(record);
    if (now !== null) return new Permissions(now);
    throw new SubstrateError('disabled_key', 'The key of this request was disabled or deleted since it was sent.');
  }
}

/** A record is never changed: one that says something else is another one. */
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

/** Where a key may stand beside the header of its own. */
interface OtherPlaces {
  /** Browsers cannot set headers on a WebSocket. Null: not in the URL. */
  readonly query: URLSearchParams | null;
  /** `Authorization: Bearer` is all that Prometheus and many clients for models can set. */
  readonly bearer: boolean;
}

/** Two keys at once, in whichever place, make a text that matches none: which one was meant is not guessed. */
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
