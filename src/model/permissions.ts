/** What a key may do. A key without restrictions may do everything. */
import { SubstrateError } from './errors.ts';
import type { Restrictions, Scope } from './key-record.ts';
import { REVERSIBILITIES, type Reversibility } from './reversibility.ts';

const NEVER_HELPS = 'Another try with this key does not help: somebody has to give you another one.';

export class Permissions {
  /** A person must agree to each action. */
  readonly confirm: boolean;
  private readonly scopes: ReadonlySet<Scope> | null;
  private readonly apps: readonly string[] | null;
  private readonly maxReversibility: Reversibility | null;

  constructor(record: Restrictions) {
    this.scopes = record.scopes ? new Set(record.scopes) : null;
    this.apps = record.apps ?? null;
    this.maxReversibility = record.max_reversibility ?? null;
    this.confirm = record.confirm === true;
  }

  /** True: every app. */
  get isForAllApps(): boolean {
    return this.apps === null;
  }

  /** The same for keys that may do the same; empty where that is everything. */
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

  includesApp(appId: string, appName: string): boolean {
    return this.apps === null || this.apps.some((glob) => matches(glob, appId) || matches(glob, appName));
  }

  requireApp(appId: string, appName: string): void {
    if (this.includesApp(appId, appName)) return;
    const which = this.apps?.length === 0 ? 'no app' : `apps called ${this.apps?.join(' or ')}`;
    throw forbidden(`This key is for ${which}, not for ${appName || appId}.`);
  }

  /** Who may act in every app may open one more. A key for some apps is not for the one that would be opened. */
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

/** In words, for a list of keys. */
export function describePermissions({ scopes, apps, max_reversibility, confirm }: Restrictions): string {
  const parts = [
    scopes ? scopes.join(', ') || 'nothing' : 'everything',
    ...(max_reversibility ? [`actions up to ${max_reversibility}`] : []),
    ...(apps ? [`apps ${apps.join(', ') || 'none'}`] : []),
    ...(confirm === true ? ['a person confirms each action'] : []),
  ];
  return parts.join('; ');
}

function forbidden(what: string): SubstrateError {
  return new SubstrateError('forbidden_scope', `${what} ${NEVER_HELPS}`);
}

/** `*` stands for any text, `?` for one character; capitals do not matter. Bounded by the product of both lengths. */
function matches(glob: string, name: string): boolean {
  const [pattern, text] = [glob.toLowerCase(), name.toLowerCase()];
  let [at, from] = [0, 0];
  let star = -1;
  let tried = 0;
  while (from < text.length) {
    if (pattern[at] === '*') {
      star = at++;
      tried = from;
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === text[from])) {
      at++;
      from++;
    } else if (star >= 0) {
      at = star + 1;
      from = ++tried;
    } else return false;
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}
