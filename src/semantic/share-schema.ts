/** The schema of an app as a document for others, and the import of such a document. */
import type { ActionEntry, AppSchema, LabelEntry } from '../model/app-schema.ts';
import { parsePath } from '../model/path.ts';
import {
  type ImportResponse,
  MAX_ENTRIES,
  SCHEMA_FORMAT,
  type SchemaDocument,
  type SharedAction,
  type SharedLabel,
} from '../model/schema-document.ts';
import { LabelOwners } from './label-owners.ts';
import { hasSecretName, isOpaqueLabel, replaceStars } from './labels.ts';
import { bumpPatch } from './schema-notes.ts';
import { MAX_SHAPES } from './shape-budget.ts';

const MAX_REPORTED = 1000;

/** `all` includes inferred entries. In the order of the paths, so that two exports can be compared. */
export function exportSchema(schema: AppSchema, all: boolean): SchemaDocument {
  const labels = Object.entries(schema.labels)
    // A name that was lost to another key is meaningless to others.
    .filter(([, { confirmed, label }]) => confirmed || (all && !isOpaqueLabel(label)))
    .map(([path, { label, type, confidence, confirmed, notes }]): SharedLabel => {
      return { path, label, type, confidence, confirmed, ...(notes === undefined ? {} : { notes }) };
    });
  const actions = Object.entries(schema.actions).map(
    ([action, { by: _, imported: __, ...entry }]): SharedAction => ({ action, ...entry }),
  );
  return {
    format: SCHEMA_FORMAT,
    app_id: schema.app_id,
    app_name: schema.app_name,
    labels: labels.sort((one, other) => compare(one.path, other.path)),
    actions: actions.sort((one, other) => compare(one.action, other.action)),
  };
}

/** By code unit: the same on every machine. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

type ReportedEntry = ImportResponse['entries'][number];
type Verdict = Pick<ReportedEntry, 'outcome' | 'detail'>;

export interface ImportOptions {
  /** Imported entries replace those confirmed here. */
  readonly force: boolean;
  /** The app's own names for its actions, if it runs. */
  readonly actionNames?: ReadonlySet<string>;
}

/** Changes `schema`. Confirmed entries replace inferred ones; entries confirmed here stay unless `force`. */
export function importSchema(
  schema: AppSchema,
  document: SchemaDocument,
  { force, actionNames = new Set() }: ImportOptions,
): ImportResponse {
  const counts = { added: 0, changed: 0, unchanged: 0, conflict: 0, rejected: 0 };
  const entries: ReportedEntry[] = [];
  const note = (kind: ReportedEntry['kind'], path: string, name: string, verdict: Verdict) => {
    counts[verdict.outcome]++;
    if (verdict.outcome !== 'unchanged' && entries.length < MAX_REPORTED)
      entries.push({ kind, path, name, ...verdict });
  };
  const labels = new LabelImport(schema, force);
  const renamed = document.actions.flatMap(({ action, name }) => (action === name ? [] : [action]));
  const actions = new ActionImport(schema, force, actionNames, new Set(renamed));
  for (const label of document.labels) note('label', label.path, label.label, labels.take(label));
  for (const action of document.actions) note('action', action.action, action.name, actions.take(action));
  const taken = counts.added + counts.changed;
  if (taken > 0) schema.schema_version = bumpPatch(schema.schema_version, taken);
  return { app_id: schema.app_id, schema_version: schema.schema_version, counts, entries };
}

class LabelImport {
  private readonly schema: AppSchema;
  private readonly force: boolean;
  private readonly owners = new LabelOwners();
  private count = 0;

  constructor(schema: AppSchema, force: boolean) {
    this.schema = schema;
    this.force = force;
    for (const [path, entry] of Object.entries(schema.labels)) this.note(path, entry);
  }

  take(wanted: SharedLabel): Verdict {
    const problem = problemOf(wanted);
    if (problem !== null) return { outcome: 'rejected', detail: problem };
    const { path, ...entry } = wanted;
    const known = Object.hasOwn(this.schema.labels, path) ? this.schema.labels[path] : undefined;
    if (known && isSame(known, entry)) return unchanged;
    // Inferred entries of others are no better than those of this machine.
    if (known && !entry.confirmed) return unchanged;
    if (known?.confirmed && !this.force)
      return { outcome: 'conflict', detail: `it is confirmed here as ${known.label} (${known.type})` };
    const others = this.othersNamed(entry.label, path, entry.confirmed);
    const [other] = others;
    if (other !== undefined && !entry.confirmed)
      return { outcome: 'rejected', detail: `that is the name of ${other} here, and only inferred` };
    if (other !== undefined && !this.force)
      return { outcome: 'conflict', detail: `that is the confirmed name of ${other} here` };
    if (!known && this.count >= (entry.confirmed ? MAX_ENTRIES : MAX_SHAPES))
      return { outcome: 'rejected', detail: 'there is no room for more' };
    for (const path of others) this.forget(path);
    if (known) this.forget(path);
    const confidence = Math.min(entry.confidence, known?.confidence ?? 1);
    const imported: LabelEntry = { ...entry, confidence, imported: true };
    this.schema.labels[path] = imported;
    this.note(path, imported);
    return known ? { outcome: 'changed', detail: `it was ${known.label}` } : { outcome: 'added', detail: 'new' };
  }

  /** A confirmed entry does not yield to an inferred one, and an inferred one not even to another. */
  private othersNamed(label: string, path: string, isConfirmed: boolean): string[] {
    // Opaque: only its type was corrected.
    if (isOpaqueLabel(label)) return [];
    return this.owners
      .of(label)
      .filter((owner) => owner !== path && (!isConfirmed || this.schema.labels[owner]?.confirmed === true));
  }

  private note(path: string, { label }: LabelEntry): void {
    this.owners.add(label, path);
    this.count++;
  }

  private forget(path: string): void {
    const label = this.schema.labels[path]?.label;
    if (label === undefined) return;
    this.owners.delete(label, path);
    delete this.schema.labels[path];
    this.count--;
  }
}

const unchanged: Verdict = { outcome: 'unchanged', detail: '' };

function isSame(one: LabelEntry, other: LabelEntry): boolean {
  return (
    one.label === other.label &&
    one.type === other.type &&
    one.confirmed === other.confirmed &&
    one.notes === other.notes &&
    (one.confidence === other.confidence || (one.imported === true && one.confidence < other.confidence))
  );
}

/** Files come from anybody: the rules for corrections apply to them, too. */
export function problemOf({ path, label, confirmed }: SharedLabel): string | null {
  const [from, to] = [pathWithIndices(path), pathWithIndices(label)];
  if (from === null) return 'path is no dot-notation path such as inbox.emails[*].subject';
  if (from.includes('__proto__') || to?.includes('__proto__')) return 'it contains __proto__';
  if (hasSecretName(path) || hasSecretName(label)) return 'its name holds a secret and is not stored';
  if (isOpaqueLabel(label)) return confirmed ? null : 'its label is opaque';
  if (to === null) return 'label is no dot-notation path such as inbox.emails[*].subject';
  if (starsIn(label) > starsIn(path)) return 'label has more [*] than path';
  return null;
}

function pathWithIndices(pattern: string) {
  return parsePath(replaceStars(pattern, () => '[0]'));
}

function starsIn(pattern: string): number {
  let count = 0;
  replaceStars(pattern, () => {
    count++;
    return '';
  });
  return count;
}

export function problemOfAction(action: string, { name, binding = '' }: Omit<SharedAction, 'action'>): string | null {
  const names = [action, name, binding];
  if (names.includes('__proto__')) return 'it is called __proto__';
  return names.some(hasSecretName) ? 'its name holds a secret and is not stored' : null;
}

class ActionImport {
  private readonly schema: AppSchema;
  private readonly force: boolean;
  /** Names before any correction, by the given name. */
  private readonly named: Map<string, string>;
  private readonly ownNames: ReadonlySet<string>;
  private readonly renamed: ReadonlySet<string>;
  private count: number;

  constructor(
    schema: AppSchema,
    force: boolean,
    ownNames: ReadonlySet<string>,
    /** Actions that leave their name to others. */
    renamed: ReadonlySet<string>,
  ) {
    this.schema = schema;
    this.force = force;
    this.ownNames = ownNames;
    this.renamed = renamed;
    this.count = Object.keys(schema.actions).length;
    this.named = new Map(Object.entries(schema.actions).map(([raw, { name }]) => [name, raw]));
  }

  take({ action, ...entry }: SharedAction): Verdict {
    const problem = problemOfAction(action, entry);
    if (problem !== null) return { outcome: 'rejected', detail: problem };
    const known = Object.hasOwn(this.schema.actions, action) ? this.schema.actions[action] : undefined;
    if (known && isSameAction(known, entry)) return unchanged;
    const other = this.named.get(entry.name);
    if (other !== undefined && other !== action && !this.force)
      return { outcome: 'conflict', detail: `that is the name of ${other} here` };
    // This name means the app's own action.
    if (entry.name !== action && this.isOwnName(entry.name) && !this.force)
      return { outcome: 'conflict', detail: 'that is the name of another action of the app' };
    if (known && !this.force) return { outcome: 'conflict', detail: `it is called ${known.name} here` };
    if (!known && this.count >= MAX_ENTRIES) return { outcome: 'rejected', detail: 'there is no room for more' };
    if (other !== undefined && other !== action) this.forget(other);
    if (known) this.forget(action);
    this.schema.actions[action] = { ...entry, imported: true };
    this.named.set(entry.name, action);
    this.count++;
    return known ? { outcome: 'changed', detail: `it was ${known.name}` } : { outcome: 'added', detail: 'new' };
  }

  private isOwnName(name: string): boolean {
    if (!this.ownNames.has(name) || this.renamed.has(name)) return false;
    const corrected = Object.hasOwn(this.schema.actions, name) ? this.schema.actions[name] : undefined;
    return corrected === undefined || corrected.name === name;
  }

  private forget(action: string): void {
    const name = this.schema.actions[action]?.name;
    if (name === undefined) return;
    this.named.delete(name);
    delete this.schema.actions[action];
    this.count--;
  }
}

function isSameAction(one: ActionEntry, other: ActionEntry): boolean {
  return (
    one.name === other.name &&
    one.returns === other.returns &&
    one.binding === other.binding &&
    one.notes === other.notes &&
    one.confidence === other.confidence
  );
}
