/** The engine's own entries in an app's schema: the names that it gave, and those that were lost. */
import { type AppSchema, emptySchema, type LabelEntry } from '../model/app-schema.ts';
import { pathPattern } from '../model/path.ts';
import type { Scalar } from '../model/scalar.ts';
import { type Labelling, ROOTLESS, typeOf } from './labels.ts';
import { OPAQUE_CONFIDENCE, opaqueKey } from './opaque.ts';
import { ShapeBudget } from './shape-budget.ts';

export class SchemaNotes {
  readonly schema: AppSchema;
  /** The schema has parts that are not on disk. */
  isChanged = false;
  private readonly appId: string;
  /** Shapes beyond the budget are labelled all the same, but not stored. */
  private budget: ShapeBudget;
  /** A key lost its name to one that a person gave: clients that know it must read again. */
  private isNameLost = false;

  constructor(appId: string, appName: string, known: AppSchema | null) {
    this.appId = appId;
    this.schema = known ?? emptySchema(appId, appName);
    // Keys of an app are keys here too: none of them may collide with Object.prototype.
    this.schema.labels = Object.assign(Object.create(null), this.schema.labels);
    this.schema.actions = Object.assign(Object.create(null), this.schema.actions);
    this.budget = this.countShapes();
  }

  /** The schema was imported. */
  recount(): void {
    this.budget = this.countShapes();
  }

  /** Labels were moved to their place in the current build. */
  labelsMoved(): void {
    this.recount();
    this.schema.schema_version = bumpPatch(this.schema.schema_version, 1);
  }

  has(shape: string): boolean {
    return shape in this.schema.labels;
  }

  isConfirmed(rawPath: string): boolean {
    const { labels } = this.schema;
    return labels[rawPath]?.confirmed === true || labels[pathPattern(rawPath)]?.confirmed === true;
  }

  /** A key was given to a leaf of this shape. */
  remember(shape: string, rawPath: string, labelling: Labelling, type: LabelEntry['type'], key: string): void {
    if (labelling.secretName || this.has(shape) || !this.budget.take(shape)) return;
    this.schema.labels[shape] = {
      // The loser of a collision keeps its key, in whichever order they come the next time.
      label: key === opaqueKey(this.appId, rawPath) ? key : key === rawPath ? shape : (labelling.label ?? key),
      type,
      confidence: labelling.confidence,
      confirmed: false,
    };
    this.isChanged = true;
  }

  /** Stored, so that it has the other key, or is opaque, from the start the next time. */
  loseName(rawPath: string, value: Scalar, key = opaqueKey(this.appId, rawPath)): void {
    // A person may have named it meanwhile.
    if (this.isConfirmed(rawPath) || !this.budget.take(rawPath)) return;
    this.schema.labels[rawPath] = {
      label: key,
      type: typeOf(value),
      confidence: key === rawPath ? ROOTLESS : OPAQUE_CONFIDENCE,
      confirmed: false,
    };
    this.isNameLost = true;
  }

  /** Raises the version for names that were lost since the last call, unless `isRaised`. */
  raiseVersion(isRaised = false): void {
    if (this.isNameLost && !isRaised) {
      this.schema.schema_version = nextMinor(this.schema.schema_version);
      this.isChanged = true;
    }
    this.isNameLost = false;
  }

  private countShapes(): ShapeBudget {
    return new ShapeBudget(Object.keys(this.schema.labels));
  }
}

export function bumpPatch(version: string, by: number): string {
  const [major = 1, minor = 0, patch = 0] = version.split('.').map(Number);
  return `${major}.${minor}.${patch + by}`;
}

export function nextMinor(version: string): string {
  const [major = 1, minor = 0] = version.split('.').map(Number);
  return `${major}.${minor + 1}.0`;
}
