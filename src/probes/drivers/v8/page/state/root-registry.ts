/** All shown places of state, each below a root of its own. */
import type { LeafRoot } from '../../../../../model/leaves.ts';
import type { Found } from './found.ts';
import { assignLabels, freeName, RESERVED, toIdentifier } from './naming.ts';
import { attempt, isObject } from './safe.ts';

/** The priority of kinds when names collide, and the reading order for shared objects. */
const ORDER = [
  'redux',
  'zustand',
  'pinia',
  'vuex',
  'mobx',
  'jotai',
  'recoil',
  'apollo',
  'queries',
  'context',
  'ember',
  'components',
  'globals',
  'window',
  'closures',
];
/** Variables of the page. */
const VARIABLES = new Set(['globals', 'window', 'global', 'closures']);
/** A component may hold anything, too. */
const GUARDED = new Set(['document', ...VARIABLES, 'components', 'unnamed', 'context']);
/** Uncaught errors of scripts, in addition to the content of the page. */
const TROUBLES = 'troubles';
const MAX_ROOTS = 400;

interface Entry {
  readonly found: Found;
  readonly name: string;
  /** For a minified name: the part that survives another build of the page. */
  readonly family: Pick<LeafRoot, 'family'>;
  /** The last search that met it. */
  seen: number;
}

export interface RegistryOptions {
  readonly rootPrefix: string;
  /** Distinguishes the apps of one site. */
  readonly appMark: string;
  readonly labelPrefix: string;
  /** Names of the first level of a value, or null. */
  namesOf(value: unknown): string[] | null;
  /** True if something of this root is shown. */
  isShown(name: string): boolean;
}

export class RootRegistry {
  /** The tree's input: raw name of a root -> its value. */
  readonly top: Record<string, unknown> = Object.create(null);
  /** Raised when a root is added or removed. */
  version = 0;
  private entries: Entry[] = [];
  private readonly byIdentity = new Map<object, Entry>();
  private readonly stableNames = new Set<string>();
  private readonly options: RegistryOptions;
  private search = 0;
  private labelled: { version: number; roots: LeafRoot[] } = { version: -1, roots: [] };

  constructor(options: RegistryOptions) {
    this.options = options;
  }

  get size(): number {
    return this.entries.length;
  }

  /** The label of a root in the keys that clients see, as far as known. */
  labelOf = (name: string): string => {
    const known = this.labelled.roots.find((root) => root.name === name);
    const wanted = known
      ? (known.label ?? '')
      : (this.entries.find((entry) => entry.name === name)?.found.wanted ?? '');
    return known ? wanted : prefixed(this.options.labelPrefix, wanted);
  };

  /** True if there is more than the page's globals. */
  get hasStores(): boolean {
    return this.entries.some(({ found }) => !['globals', 'global', 'window', TROUBLES].includes(found.kind));
  }

  /** True if a framework or a store shows its content. */
  get hasMoreThanVariables(): boolean {
    return this.entries.some(({ found }) => !VARIABLES.has(found.kind) && found.kind !== TROUBLES);
  }

  isStable = (name: string): boolean => this.stableNames.has(name);

  /** True for roots whose objects may be Proxies of the app. */
  isGuarded = (name: string): boolean => GUARDED.has(this.kindOf(name));

  isVariable = (name: string): boolean => VARIABLES.has(this.kindOf(name));

  kindOf = (name: string): string => this.entries.find((entry) => entry.name === name)?.found.kind ?? '';

  founds(): Found[] {
    return this.entries.map(({ found }) => found);
  }

  nameOf(found: Found): string | undefined {
    return this.byIdentity.get(found.identity)?.name;
  }

  has(identity: object): boolean {
    const entry = this.byIdentity.get(identity);
    if (entry) entry.seen = this.search;
    return entry !== undefined;
  }

  add(found: Found): void {
    if (this.has(found.identity) || this.entries.length >= MAX_ROOTS) return;
    const taken = new Set(this.entries.map(({ name }) => name));
    const id = found.id === '' ? '' : `_${toIdentifier(found.id)}`;
    // A name of one letter means something else in each app of a site.
    const app = found.mangled ? this.options.appMark : '';
    const family = `${this.options.rootPrefix}${app}__${found.kind}`;
    const name = freeName(`${family}${id}`, taken);
    const entry = { found, name, family: found.mangled && id !== '' ? { family } : {}, seen: this.search };
    this.byIdentity.set(found.identity, entry);
    this.entries.push(entry);
    // Sorting keeps the order of discovery.
    this.entries.sort((a, b) => rank(a.found.kind) - rank(b.found.kind));
    if (found.stable) this.stableNames.add(name);
    this.version++;
  }

  beginSearch(): void {
    this.search++;
  }

  /** A root that two searches did not meet is gone. */
  endSearch(isKept: (found: Found) => boolean): void {
    const gone = this.entries.filter(({ found, seen }) => seen < this.search - 1 && !isKept(found));
    for (const entry of gone) this.remove(entry);
  }

  /** Reads the current value of every shown root. */
  refresh(): void {
    for (const { found, name } of this.entries)
      if (name in this.top) this.top[name] = attempt(() => found.read(), 'RootRegistry.refresh');
  }

  /**
   * Shows the next root; returns false if there is none. One after the other, each after everything below the last one
   * was read: an object that several of them hold belongs to the first.
   */
  admitNext(): boolean {
    for (const { found, name } of this.entries) {
      if (name in this.top) continue;
      const value = attempt(() => found.read(), 'RootRegistry.admit');
      if (value === undefined) continue;
      this.top[name] = value;
      this.version++;
      return true;
    }
    return false;
  }

  /** Which names are inferred depends only on the content of the page. */
  roots(): LeafRoot[] {
    const founds = new Map(this.entries.map(({ name, found }) => [name, found]));
    return this.labelledRoots().map((root) => {
      const guessed = founds.get(root.name)?.guessed?.() ?? [];
      return guessed.length === 0 ? root : { ...root, guessed };
    });
  }

  private labelledRoots(): readonly LeafRoot[] {
    if (this.labelled.version === this.version) return this.labelled.roots;
    const entries = this.entries.filter(({ name }) => this.options.isShown(name));
    const wanted = entries.map(({ found, name }) => ({
      kind: found.kind,
      wanted: found.wanted,
      mangled: found.mangled,
      names: attempt(() => this.options.namesOf(this.top[name]), 'RootRegistry.names') ?? null,
    }));
    const reserved = this.options.labelPrefix === '' ? RESERVED : new Set<string>();
    const labels = assignLabels(wanted, reserved);
    const taken = new Set([
      ...reserved,
      ...wanted.flatMap(({ mangled, names }, at) => (mangled ? [] : labels[at] ? [labels[at]] : (names ?? []))),
    ]);
    const roots = entries.map(({ found: { kind, origin, mangled }, name, family }, at): LeafRoot => {
      if (kind === TROUBLES) return { name, origin, mangled, label: prefixed(this.options.labelPrefix, 'page') };
      const names = wanted[at]?.names ?? null;
      if (mangled && (names === null || names.some((field) => field.length <= 2)))
        return { name, origin, mangled, ...family };
      if (mangled && this.canDoWithoutName(names ?? [], taken))
        return { name, origin, mangled: false, label: '', ...family };
      const label = mangled ? freeName('unnamed', taken) : (labels[at] ?? '');
      if (mangled) taken.add(label);
      return { name, origin, mangled: false, label: prefixed(this.options.labelPrefix, label), ...family };
    });
    this.labelled = { version: this.version, roots };
    return roots;
  }

  /** True if its fields need no label, because no other root has fields of these names. */
  private canDoWithoutName(names: readonly string[], taken: Set<string>): boolean {
    if (this.options.labelPrefix !== '' || names.some((field) => taken.has(field))) return false;
    for (const field of names) taken.add(field);
    return true;
  }

  private remove(entry: Entry): void {
    this.entries = this.entries.filter((other) => other !== entry);
    this.byIdentity.delete(entry.found.identity);
    this.stableNames.delete(entry.name);
    delete this.top[entry.name];
    this.version++;
  }
}

function rank(kind: string): number {
  const at = ORDER.indexOf(kind);
  return at < 0 ? ORDER.length : at;
}

function prefixed(prefix: string, label: string): string {
  if (prefix === '' || label === '') return prefix + label;
  return label.startsWith('[') ? prefix + label : `${prefix}.${label}`;
}

/** Names of the fields of an object, or of a map used as one. */
export function fieldNames(value: unknown): string[] | null {
  if (!isObject(value) || Array.isArray(value)) return null;
  const names: unknown[] = value instanceof Map ? [...value.keys()] : Object.keys(value);
  return names.slice(0, 1000).map(String);
}
