/**
 * Merges the schema of this host with the one that the fleet shares. The rule is that of a correction: a host may replace
 * a name only if it has seen that name. A name that a person gave to one value is never given to another.
 */
import type { ActionEntry, AppSchema, LabelEntry } from '../model/app-schema.ts';
import { MAX_ENTRIES, MAX_NAME, MAX_PATH } from '../model/schema-document.ts';
import { SHARED_FORMAT, type SharedSchema, type TaughtAction, type TaughtLabel } from '../model/shared-schema.ts';
import { LabelOwners } from './label-owners.ts';
import { isOpaqueLabel } from './labels.ts';
import { bumpPatch } from './schema-notes.ts';
import { MAX_SHAPES } from './shape-budget.ts';
import { problemOf, problemOfAction } from './share-schema.ts';

/** Stands for the id of a key if the entry came from an imported file. */
const FILE = 'file';

/** The part of this host's schema that can be shared. */
export function sharedSchemaOf(schema: AppSchema, host: string): SharedSchema {
  const { app_id, app_name, hints } = schema;
  return {
    format: SHARED_FORMAT,
    app_id,
    app_name: app_name.slice(0, MAX_NAME),
    labels: Object.entries(schema.labels).flatMap(([path, entry]) => {
      const label = taughtLabel(path, entry, host);
      // A path that was derived for a new build is derived by each host for itself.
      return entry.moved || problemOf(label) !== null || !hasRoomFor(label) ? [] : [label];
    }),
    actions: Object.entries(schema.actions).flatMap(([action, entry]) => {
      const taught = taughtAction(action, entry, host);
      return problemOfAction(action, entry) !== null || !hasRoomFor(taught) ? [] : [taught];
    }),
    asked: hints.asked === true || hints.asked_elsewhere === true,
    short_lived: hints.short_lived === true,
  };
}

/** False if a text of the entry is longer than a shared document permits. */
function hasRoomFor(entry: TaughtLabel | TaughtAction): boolean {
  if ('path' in entry) return Math.max(entry.path.length, entry.label.length, entry.notes?.length ?? 0) <= MAX_PATH;
  const { action, name, binding = '', notes = '' } = entry;
  return Math.max(action.length, notes.length) <= MAX_PATH && Math.max(name.length, binding.length) <= MAX_NAME;
}

function taughtLabel(path: string, entry: LabelEntry, host: string): TaughtLabel {
  const { label, type, confidence, confirmed, notes } = entry;
  const who = confirmed ? { by: authorOf(entry, host) } : {};
  return { path, label, type, confidence, confirmed, ...(notes === undefined ? {} : { notes }), ...who };
}

function taughtAction(action: string, entry: ActionEntry, host: string): TaughtAction {
  const { imported: _, ...shared } = entry;
  return { action, ...shared, by: authorOf(entry, host) };
}

function authorOf({ by }: { readonly by?: string | undefined }, host: string): string {
  return by?.includes('/') ? by : `${host}/${by ?? FILE}`;
}

export interface Merge {
  readonly shared: SharedSchema;
  /** Paths and actions whose entries of this host contradict the shared ones. */
  readonly refused: readonly string[];
}

/** `base` is the shared schema as this host last saw it, `remote` the current one. */
export function mergeShared(own: SharedSchema, base: SharedSchema | null, remote: SharedSchema | null): Merge {
  const labels = new EntryMerge(
    { own: own.labels, base: base?.labels ?? [], remote: remote?.labels ?? [] },
    {
      idOf: ({ path }) => path,
      isTaught: ({ confirmed }) => confirmed,
      isSame: isSameLabel,
      // An opaque label is no name: only the type was corrected.
      nameOf: ({ label }) => (isOpaqueLabel(label) ? null : label),
    },
  );
  const actions = new EntryMerge(
    { own: own.actions, base: base?.actions ?? [], remote: remote?.actions ?? [] },
    { idOf: ({ action }) => action, isTaught: () => true, isSame: isSameAction, nameOf: ({ name }) => name },
  );
  // The flags are never reset: hosts that disagree would overwrite each other forever.
  const asked = own.asked || remote?.asked === true;
  const short_lived = own.short_lived || remote?.short_lived === true;
  const { app_name } = remote ?? own;
  const shared = { ...own, app_name, labels: labels.entries, actions: actions.entries, asked, short_lived };
  return { shared, refused: [...labels.refused, ...actions.refused] };
}

interface Kind<Entry> {
  idOf(entry: Entry): string;
  /** True if a person named it; false if it was derived. */
  isTaught(entry: Entry): boolean;
  isSame(one: Entry, other: Entry): boolean;
  /** Null if it has no name that another entry could have, too. */
  nameOf(entry: Entry): string | null;
}

interface Sides<Entry> {
  readonly own: readonly Entry[];
  readonly base: readonly Entry[];
  readonly remote: readonly Entry[];
}

class EntryMerge<Entry> {
  readonly refused: string[] = [];
  private readonly kind: Kind<Entry>;
  private readonly base: ReadonlyMap<string, Entry>;
  private readonly own: ReadonlyMap<string, Entry>;
  private readonly merged: Map<string, Entry>;
  private readonly owners = new LabelOwners();

  constructor({ own, base, remote }: Sides<Entry>, kind: Kind<Entry>) {
    this.kind = kind;
    const byId = (entries: readonly Entry[]) => new Map(entries.map((entry) => [kind.idOf(entry), entry]));
    [this.own, this.base, this.merged] = [byId(own), byId(base), byId(remote)];
    for (const entry of this.merged.values()) this.noteName(entry);
    for (const entry of own) if (kind.isTaught(entry)) this.mergeTaught(entry);
    for (const entry of own) if (!kind.isTaught(entry)) this.mergeDerived(entry);
  }

  get entries(): Entry[] {
    return [...this.merged.values()].sort((one, other) => (this.kind.idOf(one) < this.kind.idOf(other) ? -1 : 1));
  }

  private mergeTaught(entry: Entry): void {
    const { kind } = this;
    const id = kind.idOf(entry);
    const known = this.taught(this.merged, id);
    if (known && kind.isSame(known, entry)) return;
    const before = this.taught(this.base, id);
    const isOld = before !== undefined && kind.isSame(before, entry);
    // Another host has changed the entry since.
    if (known && (isOld || before === undefined || !kind.isSame(before, known))) {
      if (!isOld) this.refused.push(id);
      return;
    }
    const others = this.othersNamed(entry).filter((other) => this.taught(this.merged, other) !== undefined);
    if (others.some((other) => isOld || !this.isTakenFrom(other, entry))) {
      if (!isOld) this.refused.push(id);
      return;
    }
    for (const other of this.othersNamed(entry)) this.delete(other);
    this.set(id, entry);
  }

  /** True if this host saw the name at `other` and took it from there, by a file that was imported with force. */
  private isTakenFrom(other: string, entry: Entry): boolean {
    const { kind } = this;
    const [known, before] = [this.taught(this.merged, other), this.taught(this.base, other)];
    if (known === undefined || before === undefined || !kind.isSame(known, before)) return false;
    const here = this.taught(this.own, other);
    return here === undefined || kind.nameOf(here) !== kind.nameOf(entry);
  }

  /** A derived entry never replaces one that another host has shared. */
  private mergeDerived(entry: Entry): void {
    const id = this.kind.idOf(entry);
    if (this.merged.has(id) || this.merged.size >= MAX_SHAPES || this.othersNamed(entry).length > 0) return;
    if (this.kind.nameOf(entry) !== null) this.set(id, entry);
  }

  private taught(entries: ReadonlyMap<string, Entry>, id: string): Entry | undefined {
    const entry = entries.get(id);
    return entry !== undefined && this.kind.isTaught(entry) ? entry : undefined;
  }

  private othersNamed(entry: Entry): string[] {
    const name = this.kind.nameOf(entry);
    const id = this.kind.idOf(entry);
    return name === null ? [] : this.owners.of(name).filter((other) => other !== id);
  }

  private set(id: string, entry: Entry): void {
    this.delete(id);
    if (this.merged.size >= MAX_ENTRIES) return;
    this.merged.set(id, entry);
    this.noteName(entry);
  }

  private delete(id: string): void {
    const entry = this.merged.get(id);
    if (entry === undefined) return;
    const name = this.kind.nameOf(entry);
    if (name !== null) this.owners.delete(name, id);
    this.merged.delete(id);
  }

  private noteName(entry: Entry): void {
    const name = this.kind.nameOf(entry);
    if (name !== null) this.owners.add(name, this.kind.idOf(entry));
  }
}

/** An entry that was taken from the shared schema, for the log. */
export interface Taken {
  readonly by: string;
  readonly what: string;
}

/**
 * Changes `schema` to the shared one. `own` is the part of it that went into the merge; later corrections on this host
 * stay. Returns null if nothing changed.
 */
export function takeShared(
  schema: AppSchema,
  shared: SharedSchema,
  own: SharedSchema,
  host: string,
): readonly Taken[] | null {
  const taken: Taken[] = [];
  const found = takeLabels(schema, shared, own, host, taken) + takeActions(schema, shared, own, host, taken);
  if (found > 0) schema.schema_version = bumpPatch(schema.schema_version, found);
  const { hints } = schema;
  const isAsked = shared.asked && hints.asked !== true && hints.asked_elsewhere !== true;
  if (isAsked) hints.asked_elsewhere = true;
  const isShort = shared.short_lived && hints.short_lived === undefined;
  if (isShort) hints.short_lived = true;
  return found > 0 || isAsked || isShort ? taken : null;
}

function takeLabels(schema: AppSchema, shared: SharedSchema, own: SharedSchema, host: string, taken: Taken[]): number {
  const merged = new Map(own.labels.map((entry) => [entry.path, entry]));
  const all = new Map(shared.labels.map((entry) => [entry.path, entry]));
  const isNewer = (path: string, entry: LabelEntry) => {
    const before = merged.get(path);
    return entry.confirmed && (before === undefined || !isSameLabel(before, taughtLabel(path, entry, host)));
  };
  let changes = 0;
  for (const [path, entry] of Object.entries(schema.labels))
    if (entry.confirmed && !entry.moved && !isNewer(path, entry) && all.get(path)?.confirmed !== true) {
      delete schema.labels[path];
      changes++;
    }
  const owners = new LabelOwners();
  for (const [path, { label }] of Object.entries(schema.labels)) owners.add(label, path);
  let room = MAX_ENTRIES - Object.keys(schema.labels).length;
  for (const label of shared.labels) {
    const { path, by = `${host}/${FILE}`, ...entry } = label;
    const known = Object.hasOwn(schema.labels, path) ? schema.labels[path] : undefined;
    if (problemOf({ path, ...entry }) !== null) continue;
    if (known && (!entry.confirmed || isNewer(path, known))) continue;
    if (known && isSameLabel(taughtLabel(path, known, host), label)) continue;
    const others = isOpaqueLabel(entry.label) ? [] : owners.of(entry.label).filter((other) => other !== path);
    if (others.some((other) => !entry.confirmed || schema.labels[other]?.confirmed)) continue;
    if (!known && (room <= 0 || (!entry.confirmed && room <= MAX_ENTRIES - MAX_SHAPES))) continue;
    if (known) owners.delete(known.label, path);
    else room--;
    for (const other of others) {
      owners.delete(entry.label, other);
      delete schema.labels[other];
    }
    schema.labels[path] = { ...entry, imported: true, ...(entry.confirmed ? { by } : {}) };
    owners.add(entry.label, path);
    changes++;
    if (entry.confirmed) taken.push({ by, what: `${path} is ${entry.label}` });
  }
  return changes;
}

function takeActions(schema: AppSchema, shared: SharedSchema, own: SharedSchema, host: string, taken: Taken[]): number {
  const merged = new Map(own.actions.map((entry) => [entry.action, entry]));
  const all = new Set(shared.actions.map(({ action }) => action));
  const isNewer = (action: string, entry: ActionEntry) => {
    const before = merged.get(action);
    return before === undefined || !isSameAction(before, taughtAction(action, entry, host));
  };
  let changes = 0;
  for (const [action, entry] of Object.entries(schema.actions))
    if (!isNewer(action, entry) && !all.has(action)) {
      delete schema.actions[action];
      changes++;
    }
  for (const entry of shared.actions) {
    const { action, by = `${host}/${FILE}`, ...rest } = entry;
    const known = Object.hasOwn(schema.actions, action) ? schema.actions[action] : undefined;
    if (problemOfAction(action, rest) !== null || (known && isNewer(action, known))) continue;
    if (known && isSameAction(taughtAction(action, known, host), entry)) continue;
    if (Object.entries(schema.actions).some(([other, { name }]) => other !== action && name === rest.name)) continue;
    schema.actions[action] = { ...rest, imported: true, by };
    changes++;
    taken.push({ by, what: `${action} is ${rest.name}` });
  }
  return changes;
}

function isSameLabel(one: TaughtLabel, other: TaughtLabel): boolean {
  return (
    one.label === other.label &&
    one.type === other.type &&
    one.confidence === other.confidence &&
    one.confirmed === other.confirmed &&
    one.notes === other.notes &&
    one.by === other.by
  );
}

function isSameAction(one: TaughtAction, other: TaughtAction): boolean {
  return (
    one.name === other.name &&
    one.returns === other.returns &&
    one.confidence === other.confidence &&
    one.binding === other.binding &&
    one.notes === other.notes &&
    one.by === other.by
  );
}
