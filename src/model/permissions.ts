/** The permissions of a key. A key without restrictions may do everything. */

import { isCalled } from './app-id.ts';
import { SubstrateError } from './errors.ts';
import { matchesName } from './glob.ts';
import type { Restrictions } from './key-record.ts';
import { REVERSIBILITIES, type Reversibility } from './reversibility.ts';
import type { Scope } from './scope.ts';

/** Without explicit scopes, a key whose actions a person must confirm may neither teach nor administer. */
const CONFIRMED_SCOPES: readonly Scope[] = ['read', 'act'];
const NEVER_HELPS = 'Another try with this key does not help: somebody has to give you another one.';

/** The app as the restrictions of a key see it. */
export interface AppIdentity {
  readonly appId: string;
  /** Earlier ids of the app. */
  readonly aliases?: readonly string[];
  readonly appName: string;
  /** It belongs to a user other than the daemon's and the one who started the daemon by sudo. */
  readonly isForeign: boolean;
}

export class Permissions {
  /** A person must confirm each action. */
  readonly confirm: boolean;
  private readonly scopes: ReadonlySet<Scope> | null;
  private readonly apps: readonly string[] | null;
  private readonly maxReversibility: Reversibility | null;

  constructor(record: Restrictions) {
    const scopes = scopesOf(record);
    this.scopes = scopes === null ? null : new Set(scopes);
    this.apps = record.apps ?? null;
    this.maxReversibility = record.max_reversibility ?? null;
    this.confirm = record.confirm === true;
  }

  get isForAllApps(): boolean {
    return this.apps === null;
  }

  /** Equal for keys with equal permissions; empty if unrestricted. */
  get fingerprint(): string {
    const { scopes, apps, maxReversibility, confirm } = this;
    if (scopes === null && apps === null && maxReversibility === null && !confirm) return '';
    return JSON.stringify([scopes === null ? null : [...scopes].sort(), apps, maxReversibility, confirm]);
  }

  has(scope: Scope): boolean {
    return this.scopes === null || this.scopes.has(scope);
  }

  requireScope(scope: Scope): void {
    if (this.has(scope)) return;
    throw forbidden(`This key lacks the scope ${scope}; it has ${[...(this.scopes ?? [])].join(', ') || 'none'}.`);
  }

  /**
   * A name or a glob selects only programs of the daemon's own user, because a program chooses its own name. A program
   * of another user must be given by its whole app_id, which that user cannot choose.
   */
  includesApp(app: AppIdentity): boolean {
    if (this.apps === null) return true;
    if (this.apps.some((id) => isCalled(app, id))) return true;
    const names = [app.appId, app.appName, ...(app.aliases ?? [])];
    return !app.isForeign && this.apps.some((glob) => names.some((name) => matchesName(glob, name)));
  }

  requireApp(app: AppIdentity): void {
    if (this.includesApp(app)) return;
    const { appId, appName, isForeign } = app;
    const which = this.apps?.length === 0 ? 'no app' : `apps called ${this.apps?.join(' or ')}`;
    const whose = isForeign ? ', which belongs to another user and has to be named by its app_id' : '';
    throw forbidden(`This key is for ${which}, not for ${appName || appId}${whose}.`);
  }

  /**
   * A key that may act in every app may open one more. A key for some apps does not cover the one that would be opened.
   */
  requireBrowser(): void {
    this.requireScope('act');
    if (this.apps !== null) throw forbidden(`This key is for some apps only, and opens no browser.`);
    this.requireReversibility('open_browser', 'reversible_write');
  }

  requireReversibility(action: string, reversibility: Reversibility): void {
    const { maxReversibility } = this;
    if (maxReversibility === null) return;
    if (REVERSIBILITIES.indexOf(reversibility) <= REVERSIBILITIES.indexOf(maxReversibility)) return;
    throw forbidden(`${action} is ${reversibility}; this key may run actions up to ${maxReversibility}.`);
  }
}

export const EVERYTHING = new Permissions({});

/** The permissions in words, for a list of keys. */
export function describePermissions(record: Restrictions): string {
  const { apps, max_reversibility, confirm } = record;
  const scopes = scopesOf(record);
  const parts = [
    scopes ? scopes.join(', ') || 'nothing' : 'everything',
    ...(max_reversibility ? [`actions up to ${max_reversibility}`] : []),
    ...(apps ? [`apps ${apps.join(', ') || 'none'}`] : []),
    ...(confirm === true ? ['a person confirms each action'] : []),
  ];
  return parts.join('; ');
}

function scopesOf({ scopes, confirm }: Restrictions): readonly Scope[] | null {
  return scopes ?? (confirm === true ? CONFIRMED_SCOPES : null);
}

function forbidden(what: string): SubstrateError {
  return new SubstrateError('forbidden_scope', `${what} ${NEVER_HELPS}`);
}
