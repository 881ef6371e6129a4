/** Turns what a probe reports into the labelled state: names, redaction, types, confidence. One per tracked process. */
import { type AppSchema, emptySchema } from '../model/app-schema.ts';
import type { LeafRoot, LeafUpdate } from '../model/leaves.ts';
import { joinPath } from '../model/path.ts';
import type { Scalar } from '../model/scalar.ts';
import { Labeller, type Labelling, toType, typeOf } from './labels.ts';
import { opaqueKey } from './opaque.ts';
import { redact } from './redact.ts';
import { ShapeBudget } from './shape-budget.ts';
import { type Change, StateTable } from './state-table.ts';

/** Nothing was found: whatever the app holds is not known. */
const EMPTY_CONFIDENCE = 0.3;
const OPAQUE_CONFIDENCE = 0.3;
const MILLION = 1_000_000;

interface Slot {
  rawPath: string;
  rawValue: Scalar;
  labelling: Labelling;
  confidence: number;
}

export class Engine {
  readonly table = new StateTable();
  readonly appId: string;
  schema: AppSchema;
  private slots: (Slot | null)[] = [];
  private roots: readonly LeafRoot[] = [];
  private labeller: Labeller;
  /** In millionths: whole numbers, so that adding and taking away again leaves nothing behind. */
  private confidenceSum = 0;
  private relabelWanted = false;
  /** What finds no room is labelled all the same, but not written down. */
  private budget: ShapeBudget;
  /** A key lost its name to one that a person gave: clients that know it must look again. */
  private mappingDropped = false;
  /** The schema holds something that is not on disk. */
  schemaChanged = false;

  constructor(appId: string, appName: string, known: AppSchema | null) {
    this.appId = appId;
    this.schema = known ?? emptySchema(appId, appName);
    // Keys of an app are keys here too: none of them may meet Object.prototype.
    this.schema.labels = Object.assign(Object.create(null), this.schema.labels);
    this.schema.actions = Object.assign(Object.create(null), this.schema.actions);
    this.budget = new ShapeBudget(Object.keys(this.schema.labels));
    this.labeller = new Labeller(appId, this.schema, this.roots);
  }

  /** Mean quality of the labels, less what a cap kept from being read. */
  confidence(coverage: number): number {
    if (this.table.size === 0) return EMPTY_CONFIDENCE;
    const mean = this.confidenceSum / this.table.size / MILLION;
    return Math.round(mean * (0.8 + 0.2 * coverage) * 1000) / 1000;
  }

  apply(update: LeafUpdate, roots: readonly LeafRoot[] | null): Change[] {
    if (roots && this.rootsDiffer(roots)) {
      this.roots = roots;
      this.relabelWanted = true;
    }
    const changes = update.kind === 'full' ? this.replaceAll(update.paths, update.values) : this.applyDelta(update);
    if (this.mappingDropped) {
      this.mappingDropped = false;
      this.schema.schema_version = nextMinor(this.schema.schema_version);
      this.schemaChanged = true;
    }
    return changes;
  }

  /** The schema was corrected: keys follow at the next `apply`. */
  relabelSoon(): void {
    this.relabelWanted = true;
    this.schemaChanged = true;
  }

  /** The schema holds what came from elsewhere: keys follow at the next `apply`. */
  schemaImported(): void {
    this.budget = new ShapeBudget(Object.keys(this.schema.labels));
    this.relabelSoon();
  }

  /** A corrected label takes its name from the key that has it now, if that is another one; true when it did. */
  loseName({ observed_key, correct_label }: { observed_key: string; correct_label: string }): boolean {
    const slot = this.table.slotOf(correct_label);
    const entry = slot === undefined ? null : this.slots[slot];
    if (slot === undefined || !entry || entry.labelling.confirmed || correct_label === observed_key) return false;
    this.noteLostName(entry.rawPath, opaqueKey(this.appId, entry.rawPath), this.table.valueAt(slot));
    // The version is raised by who corrects, not once more at the next capture.
    this.mappingDropped = false;
    return true;
  }

  rawPathOf(key: string): string | null {
    const slot = this.table.slotOf(key);
    return slot === undefined ? null : (this.slots[slot]?.rawPath ?? null);
  }

  originOf(key: string): string | null {
    const raw = this.rawPathOf(key);
    if (raw === null) return null;
    const isAt = (root: string) => raw === root || raw.startsWith(`${root}.`) || raw.startsWith(`${root}[`);
    return this.roots.find(({ name }) => isAt(joinPath('', name)))?.origin ?? null;
  }

  private applyDelta(update: Exclude<LeafUpdate, { kind: 'full' }>): Change[] {
    const changes = this.relabelWanted ? this.relabel() : [];
    if (update.kind === 'delta') {
      for (const slot of update.removed) this.remove(slot, changes);
      for (const [slot, path, value] of update.added) this.add(slot, path, value, changes);
      for (const [slot, value] of update.changed) this.change(slot, value, changes);
    }
    return changes;
  }

  private replaceAll(paths: readonly string[], values: readonly Scalar[]): Change[] {
    const before = this.entries();
    this.table.clear();
    this.slots = [];
    this.confidenceSum = 0;
    if (this.relabelWanted) this.resetLabeller();
    const ignored: Change[] = [];
    paths.forEach((path, slot) => {
      this.add(slot, path, values[slot] ?? null, ignored);
    });
    return this.changesSince(before);
  }

  private relabel(): Change[] {
    const before = this.entries();
    const slots = this.slots;
    this.table.clear();
    this.slots = [];
    this.confidenceSum = 0;
    this.resetLabeller();
    const ignored: Change[] = [];
    slots.forEach((entry, slot) => {
      if (entry) this.add(slot, entry.rawPath, entry.rawValue, ignored);
    });
    return this.changesSince(before);
  }

  private resetLabeller(): void {
    this.relabelWanted = false;
    this.labeller = new Labeller(this.appId, this.schema, this.roots);
  }

  private add(slot: number, rawPath: string, raw: Scalar, changes: Change[]): void {
    const { shape, labelling } = this.labeller.labelling(rawPath);
    const rawValue = redact(raw, labelling.secretPaths);
    const value = toType(rawValue, labelling.confirmed ? labelling.type : null);
    let key = this.labeller.keyFor(rawPath, labelling, shape);
    let confidence = labelling.confidence;
    if (this.table.has(key)) {
      // The very same path twice is the probe's mistake, and no reason for the first to lose its name.
      if (this.rawPathOf(key) === rawPath) return;
      // A name that a person confirmed takes it from one that the engine guessed.
      if (!labelling.confirmed || !this.displace(key, changes)) {
        key = opaqueKey(this.appId, rawPath);
        confidence = OPAQUE_CONFIDENCE;
        if (this.table.has(key)) return;
        if (shape in this.schema.labels && labelling.label !== null) this.noteLostName(rawPath, key, value);
      }
    }
    this.slots[slot] = { rawPath, rawValue, labelling, confidence };
    this.confidenceSum += millionths(confidence);
    this.table.set(slot, key, value);
    changes.push({ key, before: undefined, after: value });
    // What stands for a redacted value is a text; the type is still that of the value.
    this.remember(shape, rawPath, labelling, key, rawValue === raw ? value : raw);
  }

  private change(slot: number, raw: Scalar, changes: Change[]): void {
    const entry = this.slots[slot];
    const key = this.table.keyAt(slot);
    if (!entry || key === null) return;
    const rawValue = redact(raw, entry.labelling.secretPaths);
    const value = toType(rawValue, entry.labelling.confirmed ? entry.labelling.type : null);
    entry.rawValue = rawValue;
    const before = this.table.valueAt(slot);
    if (Object.is(before, value)) return;
    this.table.update(slot, value);
    changes.push({ key, before, after: value });
  }

  private remove(slot: number, changes: Change[]): void {
    const entry = this.slots[slot];
    const key = this.table.keyAt(slot);
    if (!entry || key === null) return;
    changes.push({ key, before: this.table.valueAt(slot), after: undefined });
    this.confidenceSum -= millionths(entry.confidence);
    this.slots[slot] = null;
    this.table.delete(slot);
  }

  /** Moves the present owner of a key to an opaque one, unless it is confirmed itself. */
  private displace(key: string, changes: Change[]): boolean {
    const slot = this.table.slotOf(key);
    const entry = slot === undefined ? null : this.slots[slot];
    if (slot === undefined || !entry || entry.labelling.confirmed) return false;
    const opaque = opaqueKey(this.appId, entry.rawPath);
    if (this.table.has(opaque)) {
      this.remove(slot, changes);
      return true;
    }
    const value = this.table.valueAt(slot);
    this.noteLostName(entry.rawPath, opaque, value);
    this.table.delete(slot);
    this.table.set(slot, opaque, value);
    changes.push({ key, before: value, after: undefined }, { key: opaque, before: undefined, after: value });
    this.confidenceSum += millionths(OPAQUE_CONFIDENCE) - millionths(entry.confidence);
    entry.confidence = OPAQUE_CONFIDENCE;
    return true;
  }

  /** Written down, so that it is opaque from the start the next time. */
  private noteLostName(rawPath: string, opaque: string, value: Scalar): void {
    if (!this.budget.take(rawPath)) return;
    this.schema.labels[rawPath] = {
      label: opaque,
      type: typeOf(value),
      confidence: OPAQUE_CONFIDENCE,
      confirmed: false,
    };
    this.mappingDropped = true;
  }

  private remember(shape: string, rawPath: string, labelling: Labelling, key: string, value: Scalar): void {
    if (labelling.secretName || shape in this.schema.labels || !this.budget.take(shape)) return;
    this.schema.labels[shape] = {
      // The loser of a collision stays what it became, in whichever order they come the next time.
      label: key === opaqueKey(this.appId, rawPath) ? key : (labelling.label ?? key),
      type: typeOf(value),
      confidence: labelling.confidence,
      confirmed: false,
    };
    this.schemaChanged = true;
  }

  private rootsDiffer(roots: readonly LeafRoot[]): boolean {
    const names = (list: readonly LeafRoot[]) =>
      list
        .flatMap(({ name, mangled, label }) => (mangled || label !== undefined ? [`${name}\0${label}`] : []))
        .join('\n');
    const differ = names(roots) !== names(this.roots);
    if (!differ) this.roots = roots;
    return differ;
  }

  private entries(): Map<string, Scalar> {
    const entries = new Map<string, Scalar>();
    for (const key of this.table.keys()) entries.set(key, this.table.get(key) ?? null);
    return entries;
  }

  private changesSince(before: Map<string, Scalar>): Change[] {
    const changes: Change[] = [];
    for (const key of this.table.keys()) {
      const after = this.table.get(key) ?? null;
      const old = before.get(key);
      before.delete(key);
      if (!Object.is(old, after)) changes.push({ key, before: old, after });
    }
    for (const [key, value] of before) changes.push({ key, before: value, after: undefined });
    return changes;
  }
}

function millionths(confidence: number): number {
  return Math.round(confidence * MILLION);
}

export function nextMinor(version: string): string {
  const [major = 1, minor = 0] = version.split('.').map(Number);
  return `${major}.${minor + 1}.0`;
}
