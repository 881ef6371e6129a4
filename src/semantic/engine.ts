/**
 * Turns the reports of a probe into the labelled state: names, redaction, types, confidence. One per tracked process.
 */
import type { AppSchema, LabelEntry } from '../model/app-schema.ts';
import type { LeafRoot, LeafUpdate } from '../model/leaves.ts';
import { joinPath, pathPattern } from '../model/path.ts';
import type { Scalar } from '../model/scalar.ts';
import { KeyList } from '../model/state-look.ts';
import { isOpaqueLabel, isRootless, Labeller, type Labelling, toType, typeOf } from './labels.ts';
import { OPAQUE_CONFIDENCE, opaqueKey } from './opaque.ts';
import { HARMLESS, materialAt, redact, type Verdict } from './redact.ts';
import { RootPrints } from './root-prints.ts';
import { Salience } from './salience/salience.ts';
import { SchemaNotes } from './schema-notes.ts';
import { type Circumstances, confidenceIn, type StateConfidence } from './state-confidence.ts';
import { type Change, difference, mergeChanges, STEP, StateTable } from './state-table.ts';

/** A leaf with more characters than this is a step of its own: searching a text costs its length. */
const LONG = 256;

/** Leaves per step that are processed quickly. */
const MANY = 1024;

/** A delta with more leaves than this, and more than the state has, is handled as a whole new state. */
const FEW = 1000;

interface Slot {
  rawPath: string;
  /** The pattern that all keys of its kind share. */
  pattern: string;
  rawValue: Scalar;
  labelling: Labelling;
  confidence: number;
}

/** The facts about a leaf before it is placed. */
interface Leaf {
  readonly rawPath: string;
  readonly rawValue: Scalar;
  readonly labelling: Labelling;
  readonly shape: string;
  /** Its key, unless another leaf has it. */
  readonly key: string;
  readonly value: Scalar;
  /** The type of the value, even if that is redacted. */
  readonly type: LabelEntry['type'];
}

/** The keys, with their origins. */
interface Labelled {
  readonly table: StateTable;
  slots: (Slot | null)[];
  salience: Salience;
}

type Delta = Exclude<LeafUpdate, { kind: 'full' }>;
type Placed = readonly [slot: number, rawPath: string, raw: Scalar];

export class Engine {
  appId: string;
  private notes: SchemaNotes;
  /** Keys whose values are never redacted, by configuration. */
  private readonly isAllowed: (key: string) => boolean;
  private readonly shown: Labelled = { table: new StateTable(), slots: [], salience: new Salience() };
  private roots: readonly LeafRoot[] = [];
  private labeller: Labeller;
  /** The prints of the current roots; null before the first capture. */
  private prints: RootPrints | null = null;
  /** Number of requested relabellings, and the one that the current names belong to. */
  private relabelsWanted = 0;
  private relabelled = 0;
  private listed: { readonly version: number; readonly list: KeyList } | null = null;

  constructor(
    appId: string,
    appName: string,
    known: AppSchema | null,
    isAllowed: (key: string) => boolean = () => false,
  ) {
    this.appId = appId;
    this.isAllowed = isAllowed;
    this.notes = new SchemaNotes(appId, appName, known);
    this.labeller = new Labeller(appId, this.schema, this.roots);
  }

  /** The attach has revealed that it is another app than it seemed. Only before its first state. */
  becomes(appId: string, appName: string, known: AppSchema | null): void {
    this.appId = appId;
    this.notes = new SchemaNotes(appId, appName, known);
    this.labeller = new Labeller(appId, this.schema, this.roots);
  }

  get schema(): AppSchema {
    return this.notes.schema;
  }

  /** The schema has parts that are not on disk. */
  get schemaChanged(): boolean {
    return this.notes.isChanged;
  }

  set schemaChanged(isChanged) {
    this.notes.isChanged = isChanged;
  }

  /** Always the same object, because readers keep it. */
  get table(): StateTable {
    return this.shown.table;
  }

  /** The confidence in the state, and the reason. Costs what has changed since the last call. */
  judge(circumstances?: Circumstances): StateConfidence {
    return confidenceIn(this.salience.found(), circumstances);
  }

  /** By the leaves alone. */
  confidence(): number {
    return this.judge().confidence;
  }

  /** The salience of keys, by pattern. */
  get salience(): Salience {
    return this.shown.salience;
  }

  /** False if it is shown on request only. Also for keys that were removed a moment ago. */
  isShown(key: string): boolean {
    return this.salience.isShown(this.patternOfKey(key));
  }

  isSlotShown(slot: number): boolean {
    const entry = this.shown.slots[slot];
    return entry ? this.salience.isShown(entry.pattern) : false;
  }

  /** Its rank among all: higher ranks come first. */
  rankOfSlot(slot: number): number {
    const entry = this.shown.slots[slot];
    return entry ? this.salience.rankOf(entry.pattern) : 0;
  }

  /** From 0 to 1: how much a key matters to the user of the app. */
  salienceOf(key: string): number {
    return this.salience.of(this.patternOfKey(key));
  }

  private patternOfKey(key: string): string {
    const slot = this.table.slotOf(key);
    return (slot === undefined ? null : this.shown.slots[slot])?.pattern ?? pathPattern(key);
  }

  apply(update: LeafUpdate, roots: readonly LeafRoot[] | null): Change[] {
    const steps = this.prepare(update, roots);
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value();
    }
  }

  /**
   * The same in small steps: long work is prepared separately, and becomes visible only when the returned function is
   * called. Each change is reported once. After an abandoned run, the next update must be a full one.
   */
  *prepare(update: LeafUpdate, roots: readonly LeafRoot[] | null): Generator<void, () => Change[], void> {
    if (roots && this.rootsDiffer(roots)) {
      this.roots = roots;
      this.relabelsWanted++;
    }
    yield* this.followBuild(update);
    const wanted = this.relabelsWanted;
    if (wanted !== this.relabelled)
      this.labeller = new Labeller(this.appId, this.schema, this.roots, this.labeller.material);
    yield* this.noteMaterial(update);
    if (update.kind !== 'full' && wanted === this.relabelled && !this.isMostlyNew(update)) {
      const take = update.kind === 'same' ? () => [] : yield* this.prepareDelta(update);
      return () => {
        const changes = take();
        this.notes.raiseVersion();
        return changes;
      };
    }
    const anew = yield* this.build(update.kind === 'full' ? leavesOf(update) : this.leavesAfter(update));
    const changes = yield* difference(this.table, anew.table);
    yield* anew.salience.settling(this.salience);
    return () => {
      this.relabelled = wanted;
      this.table.become(anew.table);
      this.shown.slots = anew.slots;
      this.shown.salience = anew.salience;
      this.notes.raiseVersion();
      return changes;
    };
  }

  /** Drops the state of the app. */
  clear(): void {
    this.table.clear();
    this.shown.slots = [];
    this.shown.salience = new Salience();
    this.listed = null;
  }

  /** The schema was corrected, and the keys have not followed yet. */
  get isBehind(): boolean {
    return this.relabelled !== this.relabelsWanted;
  }

  /** The schema was corrected: keys follow at the next `apply`. */
  relabelSoon(): void {
    this.relabelsWanted++;
    this.notes.isChanged = true;
  }

  /** The schema was imported: keys follow at the next `apply`. */
  schemaImported(): void {
    this.notes.recount();
    this.relabelSoon();
  }

  /** A corrected label takes its name from the key that has it now, if that is another one; returns true if it did. */
  loseName({ observed_key, correct_label }: { observed_key: string; correct_label: string }): boolean {
    const slot = this.table.slotOf(correct_label);
    const entry = slot === undefined ? null : this.shown.slots[slot];
    if (slot === undefined || !entry || correct_label === observed_key) return false;
    // It gets another name at the next capture, or keeps this one.
    if (this.notes.isConfirmed(entry.rawPath)) return false;
    this.notes.loseName(entry.rawPath, this.table.valueAt(slot));
    // The correction raises the version, so the next capture must not raise it again.
    this.notes.raiseVersion(true);
    return true;
  }

  /** The confidence of a key for the holder of this API key: one's own corrections do not raise it. */
  confidenceOf(key: string, keyId: string): number | null {
    const slot = this.table.slotOf(key);
    const entry = slot === undefined ? null : this.shown.slots[slot];
    if (!entry) return null;
    const { labelling, confidence } = entry;
    // Nobody has confirmed that a moved name is right.
    return labelling.by === keyId || labelling.moved ? Math.min(confidence, labelling.inferredConfidence) : confidence;
  }

  confidenceOfName(name: string): number {
    return this.labeller.confidenceOfName(name);
  }

  rawPathOf(key: string): string | null {
    const slot = this.table.slotOf(key);
    return slot === undefined ? null : (this.shown.slots[slot]?.rawPath ?? null);
  }

  originOf(key: string): string | null {
    const raw = this.rawPathOf(key);
    if (raw === null) return null;
    const isAt = (root: string) => raw === root || raw.startsWith(`${root}.`) || raw.startsWith(`${root}[`);
    return this.roots.find(({ name }) => isAt(joinPath('', name)))?.origin ?? null;
  }

  /** Rebuilt only after a key was added or removed. */
  keyList(): KeyList {
    const { table, slots } = this.shown;
    if (this.listed?.version === table.keySetVersion) return this.listed.list;
    const list = new KeyList();
    for (const [slot, entry] of slots.entries()) {
      const key = table.keyAt(slot);
      if (entry && key !== null) list.add(key, entry.pattern);
    }
    this.listed = { version: table.keySetVersion, list };
    return list;
  }

  private *noteMaterial(update: LeafUpdate): Generator<void, void, void> {
    if (update.kind === 'same') return;
    const paths = update.kind === 'full' ? update.paths : update.added.map(([, path]) => path);
    const values = update.kind === 'full' ? update.values : update.added.map(([, , value]) => value);
    for (let at = 0; at < paths.length; at++) {
      for (const shape of materialAt(at, paths, values)) this.labeller.noteMaterial(shape);
      if (at % MANY === MANY - 1) yield;
    }
  }

  /** Moves confirmed names below a root that has another name in this build. */
  private *followBuild(update: LeafUpdate): Generator<void, void, void> {
    const isWhole = update.kind === 'full' || this.relabelsWanted !== this.relabelled;
    if (isWhole || this.prints === null) this.prints = new RootPrints(this.schema, this.roots);
    const { prints } = this;
    if (!prints.isWanted || (update.kind === 'same' && !isWhole)) return;
    let count = 0;
    const leaves = update.kind === 'full' ? leavesOf(update) : isWhole ? this.leavesAfter(update) : addedBy(update);
    for (const [, rawPath] of leaves) {
      prints.note(rawPath);
      if (++count % STEP === 0) yield;
    }
    const { isMoved, isNoted } = yield* prints.settle();
    if (isNoted) this.notes.isChanged = true;
    if (!isMoved) return;
    this.notes.labelsMoved();
    this.relabelSoon();
  }

  private isMostlyNew(update: Delta): boolean {
    return update.kind === 'delta' && update.added.length > Math.max(FEW, this.table.size);
  }

  private *prepareDelta({ removed, added, changed }: Delta & { kind: 'delta' }): Generator<void, () => Change[], void> {
    const leaves: [number, Leaf][] = [];
    for (const [slot, path, raw] of added) {
      leaves.push([slot, this.leaf(path, raw)]);
      if (leaves.length % STEP === 0 || isLong(path, raw)) yield;
    }
    const values: { slot: number; raw: Scalar; secrecy: Verdict; clean: Scalar }[] = [];
    for (const [slot, raw] of changed) {
      const secrecy = this.shown.slots[slot]?.labelling.secrecy ?? HARMLESS;
      values.push({ slot, raw, secrecy, clean: redact(raw, secrecy) });
      if (values.length % STEP === 0 || isLong('', raw)) yield;
    }
    return () => {
      const changes: Change[] = [];
      for (const slot of removed) this.remove(this.shown, slot, changes);
      for (const [slot, leaf] of leaves) this.add(this.shown, slot, leaf, changes);
      for (const { slot, raw, secrecy, clean } of values) {
        const labelling = this.shown.slots[slot]?.labelling;
        // It may have come with this update.
        const isReady = labelling?.secrecy === secrecy;
        if (labelling) this.change(slot, raw, isReady ? clean : redact(raw, labelling.secrecy), changes);
      }
      return mergeChanges(changes);
    };
  }

  private *build(leaves: Iterable<Placed>): Generator<void, Labelled, void> {
    const anew: Labelled = { table: new StateTable(), slots: [], salience: new Salience() };
    const ignored: Change[] = [];
    let count = 0;
    for (const [slot, rawPath, raw] of leaves) {
      this.add(anew, slot, this.leaf(rawPath, raw), ignored);
      ignored.length = 0;
      if (++count % STEP === 0 || isLong(rawPath, raw)) yield;
    }
    return anew;
  }

  /** The leaves after the update. */
  private *leavesAfter(update: Delta): Generator<Placed, void, void> {
    const delta = update.kind === 'delta' ? update : { removed: [], added: [], changed: [] };
    const removed = new Set(delta.removed);
    const changed = new Map(delta.changed);
    const now = (slot: number, rawPath: string, raw: Scalar): Placed => {
      const value = changed.get(slot);
      return [slot, rawPath, value === undefined ? raw : value];
    };
    for (const [slot, entry] of this.shown.slots.entries())
      if (entry && !removed.has(slot)) yield now(slot, entry.rawPath, entry.rawValue);
    for (const leaf of delta.added) yield now(...leaf);
  }

  private leaf(rawPath: string, raw: Scalar): Leaf {
    const { shape, labelling } = this.labeller.labelling(rawPath);
    const key = this.labeller.keyFor(rawPath, labelling, shape);
    const rawValue = this.shownAs(key, raw, redact(raw, labelling.secrecy));
    const value = toType(rawValue, labelling.confirmed ? labelling.type : null);
    // The replacement of a redacted value is a text; the type is still that of the value.
    const type = typeOf(rawValue === raw ? value : raw);
    return { rawPath, rawValue, labelling, shape, key, value, type };
  }

  /** By its key, which the configuration may allow. */
  private shownAs(key: string, raw: Scalar, clean: Scalar): Scalar {
    return clean !== raw && this.isAllowed(key) ? raw : clean;
  }

  private add(into: Labelled, slot: number, leaf: Leaf, changes: Change[]): void {
    const { rawPath, labelling, shape } = leaf;
    const { table, slots } = into;
    let { key, rawValue, value } = leaf;
    let confidence = labelling.confidence;
    const owner = table.slotOf(key);
    if (owner !== undefined) {
      // A repeated path is the probe's mistake, and no reason for the first to lose its name.
      if (slots[owner]?.rawPath === rawPath) return;
      // A confirmed name takes it from an inferred one.
      if (!labelling.confirmed || !this.displace(into, owner, key, changes)) {
        const isFree = isRootless(labelling, shape) && !table.has(rawPath);
        key = isFree ? rawPath : opaqueKey(this.appId, rawPath);
        if (!isFree) confidence = OPAQUE_CONFIDENCE;
        if (table.has(key)) return;
        rawValue = this.shownAs(key, rawValue, redact(rawValue, labelling.secrecy));
        value = toType(rawValue, labelling.confirmed ? labelling.type : null);
        if (this.notes.has(shape) && labelling.label !== null) this.notes.loseName(rawPath, value, key);
      }
    }
    const pattern = patternOf(key, labelling, rawPath);
    slots[slot] = { rawPath, pattern, rawValue, labelling, confidence };
    const isOpaque = isOpaqueLabel(key);
    const { origin, isConstant } = labelling;
    into.salience.add(pattern, { origin, value, confidence, isOpaque, isConstant });
    table.set(slot, key, value);
    changes.push({ key, before: undefined, after: value });
    this.notes.remember(shape, rawPath, labelling, leaf.type, key);
  }

  private change(slot: number, raw: Scalar, clean: Scalar, changes: Change[]): void {
    const entry = this.shown.slots[slot];
    const key = this.table.keyAt(slot);
    if (!entry || key === null) return;
    const rawValue = this.shownAs(key, raw, clean);
    const value = toType(rawValue, entry.labelling.confirmed ? entry.labelling.type : null);
    entry.rawValue = rawValue;
    const before = this.table.valueAt(slot);
    if (Object.is(before, value)) return;
    this.table.update(slot, value);
    this.salience.change(entry.pattern, before, value);
    changes.push({ key, before, after: value });
  }

  private remove(from: Labelled, slot: number, changes: Change[]): void {
    const entry = from.slots[slot];
    const key = from.table.keyAt(slot);
    if (!entry || key === null) return;
    changes.push({ key, before: from.table.valueAt(slot), after: undefined });
    from.salience.remove(entry.pattern, from.table.valueAt(slot), entry.confidence);
    from.slots[slot] = null;
    from.table.delete(slot);
  }

  /** Moves the current owner of a key to an opaque one, unless it is confirmed itself. */
  private displace(into: Labelled, slot: number, key: string, changes: Change[]): boolean {
    const { table } = into;
    const entry = into.slots[slot];
    if (!entry || entry.labelling.confirmed) return false;
    const opaque = opaqueKey(this.appId, entry.rawPath);
    if (table.has(opaque)) {
      this.remove(into, slot, changes);
      return true;
    }
    const before = table.valueAt(slot);
    entry.rawValue = this.shownAs(opaque, entry.rawValue, redact(entry.rawValue, entry.labelling.secrecy));
    const value = toType(entry.rawValue, null);
    this.notes.loseName(entry.rawPath, before);
    table.delete(slot);
    table.set(slot, opaque, value);
    changes.push({ key, before, after: undefined }, { key: opaque, before: undefined, after: value });
    into.salience.remove(entry.pattern, before, entry.confidence);
    entry.confidence = OPAQUE_CONFIDENCE;
    entry.pattern = opaque;
    const { origin } = entry.labelling;
    into.salience.add(opaque, { origin, value, confidence: OPAQUE_CONFIDENCE, isOpaque: true });
    return true;
  }

  private rootsDiffer(roots: readonly LeafRoot[]): boolean {
    const names = (list: readonly LeafRoot[]) =>
      list
        .flatMap(({ name, mangled, label, constants = [] }) =>
          mangled || label !== undefined || constants.length > 0 ? [`${name}\0${label}\0${constants.join('\0')}`] : [],
        )
        .join('\n');
    const differ = names(roots) !== names(this.roots);
    if (!differ) {
      this.roots = roots;
      this.labeller.takeRoots(roots);
    }
    return differ;
  }
}

/** Known already, except for names of a single key. */
function patternOf(key: string, { label, confirmed }: Labelling, rawPath: string): string {
  return label === null || confirmed || isOpaqueLabel(key) || key === rawPath ? pathPattern(key) : label;
}

function* leavesOf({ paths, values }: LeafUpdate & { kind: 'full' }): Generator<Placed, void, void> {
  for (const [slot, path] of paths.entries()) yield [slot, path, values[slot] ?? null];
}

function addedBy(update: Delta): readonly Placed[] {
  return update.kind === 'delta' ? update.added : [];
}

function isLong(path: string, raw: Scalar): boolean {
  return path.length > LONG || (typeof raw === 'string' && raw.length > LONG);
}
