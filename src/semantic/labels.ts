/** Turns the raw path of a leaf into its key. */
import type { AppSchema, LabelEntry } from '../model/app-schema.ts';
import type { LeafRoot } from '../model/leaves.ts';
import { formatPath, joinPath, parsePath, pathPattern, type Segment } from '../model/path.ts';
import type { Scalar } from '../model/scalar.ts';
import { OPAQUE_CONFIDENCE, opaqueKey } from './opaque.ts';
import { holdsSecret, isSecretName, judgeName, MATERIAL, mayNameSecret, stricter, type Verdict } from './redact.ts';

/** The decision for all leaves of one shape. */
export interface Labelling {
  /** The label; null if it stays opaque. With `[*]` for each index of the raw path. */
  readonly label: string | null;
  readonly confidence: number;
  /** The confidence without any correction. */
  readonly inferredConfidence: number;
  readonly confirmed: boolean;
  /** The id of the key that confirmed it. */
  readonly by?: string | undefined;
  /** It was confirmed for a root with another name, in an earlier build. */
  readonly moved?: LabelEntry['moved'];
  /** The verdict of its names (in the app, as shown) on its values. */
  readonly secrecy: Verdict;
  /** The name itself contains a secret (sessions["eyJ…"]): it becomes no key, and is not stored. */
  readonly secretName: boolean;
  /** The origin of its root. */
  readonly origin: string;
  /** The probe reports it as a constant. */
  readonly isConstant: boolean;
  readonly type: LabelEntry['type'] | null;
  /** Set if a key is the raw path with another beginning: most keys of a page are, and need no parsing. */
  readonly beginning?: { readonly raw: string; readonly shown: string };
}

/** Names from the app's own source are nearly always right; a name that lost its root is slightly less certain. */
export const NAMED = 0.97;
export const ROOTLESS = 0.85;
/** A name from the text beside the value on the screen is mostly right. */
const GUESSED = 0.85;
/** The limit of cached decisions. Maps with changing keys make ever new shapes. */
const MAX_REMEMBERED = 100_000;

/** Caches one decision per shape; rebuilt when the schema or the roots change. */
export class Labeller {
  private readonly appId: string;
  private readonly schema: AppSchema;
  /** Shapes whose values are secret by their context. */
  readonly material: Set<string>;
  private roots: ReadonlyMap<string, LeafRoot>;
  private readonly byShape = new Map<string, Labelling>();
  private readonly exactPaths: ReadonlySet<string>;

  constructor(appId: string, schema: AppSchema, roots: readonly LeafRoot[], material = new Set<string>()) {
    this.appId = appId;
    this.material = material;
    this.schema = schema;
    this.roots = byName(roots);
    this.exactPaths = new Set(
      Object.keys(schema.labels).filter((path) => /\[\d/.test(path) && isSaidOf(path, schema.labels)),
    );
  }

  /** For roots with unchanged names: earlier decisions stay valid. */
  takeRoots(roots: readonly LeafRoot[]): void {
    this.roots = byName(roots);
  }

  /** Call it before the leaves of this shape are labelled. */
  noteMaterial(shape: string): void {
    if (this.material.has(shape)) return;
    this.byShape.delete(shape);
    this.material.add(shape);
    // The oldest is most likely gone from the app: only changing keys make so many.
    for (const oldest of this.material) {
      if (this.material.size <= MAX_REMEMBERED) break;
      this.material.delete(oldest);
    }
  }

  /** `shape` is the key of the decision: the pattern, or the path itself if a person corrected just that one. */
  labelling(rawPath: string): { shape: string; labelling: Labelling } {
    const shape = this.exactPaths.has(rawPath) ? rawPath : pathPattern(rawPath);
    let labelling = this.byShape.get(shape);
    if (!labelling) {
      labelling = this.decide(shape);
      // The same decision would be made again: dropping it only costs time.
      if (this.byShape.size >= MAX_REMEMBERED) this.byShape.clear();
      this.byShape.set(shape, labelling);
    }
    return { shape, labelling };
  }

  keyFor(rawPath: string, labelling: Labelling, shape: string): string {
    const { label, beginning } = labelling;
    if (label === null) return opaqueKey(this.appId, rawPath);
    if (label === shape) return rawPath;
    if (beginning) return beginning.shown + rawPath.slice(beginning.raw.length);
    return fillPattern(label, rawPath);
  }

  private decide(shape: string): Labelling {
    const known = Object.hasOwn(this.schema.labels, shape) ? this.schema.labels[shape] : undefined;
    const segments = parsePath(replaceStars(shape, () => '[0]'));
    const root = this.roots.get(String(segments?.[0]));
    const beginning = root && !root.mangled ? beginningOf(root, shape) : null;
    const shown = beginning ? beginning.shown + shape.slice(beginning.raw.length) : shape;
    // Also for a known one: a file of an earlier version may contain the name.
    const secretName = hasSecretName(shown);
    const own = this.material.has(shape) ? MATERIAL : judgeName(shown);
    const secrecy = known && known.label !== shown ? stricter(own, judgeName(known.label)) : own;
    const inferred = secretName
      ? { label: null, confidence: OPAQUE_CONFIDENCE }
      : beginning
        ? { label: shown, confidence: isGuessed(root, segments) ? GUESSED : NAMED }
        : infer(shape, segments, root);
    if (!known || secretName) {
      // Written out: an app may have very many shapes, and spreading an object takes longer than all the rest.
      const { label, confidence } = inferred;
      const base = {
        label,
        confidence,
        inferredConfidence: confidence,
        confirmed: false,
        secrecy,
        secretName,
        origin: root?.origin ?? '',
        isConstant: holdsConstant(root, shape),
        type: null,
      };
      return beginning && !secretName ? { ...base, beginning } : base;
    }
    // A correction of its type did not name it.
    const opaque = isOpaqueLabel(known.label) ? { label: null, confidence: OPAQUE_CONFIDENCE } : {};
    const quick = beginning && known.label === shown ? { beginning } : {};
    const confidence = known.imported ? Math.min(known.confidence, inferred.confidence) : known.confidence;
    const inferredConfidence = inferred.confidence;
    const origin = root?.origin ?? '';
    const isConstant = holdsConstant(root, shape);
    return { ...known, confidence, inferredConfidence, secrecy, secretName, origin, isConstant, ...opaque, ...quick };
  }

  /** The confidence in the name of an action: that of a key at the same place. */
  confidenceOfName(name: string): number {
    const segments = parsePath(name);
    // A name that is no path was given by the app as a whole.
    return segments === null ? NAMED : infer(name, segments, this.roots.get(String(segments[0]))).confidence;
  }
}

/** False if one element only lost its name, and a person has named all of them since. */
function isSaidOf(path: string, labels: AppSchema['labels']): boolean {
  return labels[path]?.confirmed === true || labels[pathPattern(path)]?.confirmed !== true;
}

/** Its root, or one of the two names below that, comes from the text beside it. */
function isGuessed(root: LeafRoot | undefined, segments: readonly Segment[] | null): boolean {
  const guessed = root?.guessed;
  if (guessed === undefined || guessed.length === 0 || segments === null) return false;
  if (guessed.includes('')) return true;
  const [, first, second] = segments.filter((segment) => typeof segment === 'string');
  return guessed.includes(`${first}`) || guessed.includes(`${first}.${second}`);
}

/** True if the pattern is at or below a constant of the root. */
function holdsConstant(root: LeafRoot | undefined, shape: string): boolean {
  if (root?.constants === undefined || root.constants.length === 0) return false;
  const below = shape.slice(joinPath('', root.name).length).replace(/^\./, '');
  return root.constants.some(
    (path) => path === '' || below === path || (below.startsWith(path) && /[.[]/.test(below[path.length] ?? '')),
  );
}

/** By the names on the path only. */
function infer(
  shape: string,
  segments: readonly Segment[] | null,
  root: LeafRoot | undefined,
): Pick<Labelling, 'label' | 'confidence'> {
  if (!segments) return { label: null, confidence: OPAQUE_CONFIDENCE };
  if (!root?.mangled) return { label: shape, confidence: NAMED };
  const rest = segments.slice(1);
  // Without its root a list would have no name at all.
  if (typeof rest[0] !== 'string' || !rest.some((segment) => typeof segment === 'string' && segment.length > 2))
    return { label: null, confidence: OPAQUE_CONFIDENCE };
  return { label: pathPattern(formatPath(rest)), confidence: ROOTLESS };
}

/** True if the root was left out because a minifier had made its name. It is put back if the key is taken. */
export function isRootless({ label, confirmed, beginning, inferredConfidence }: Labelling, shape: string): boolean {
  return label !== null && label !== shape && !confirmed && beginning === undefined && inferredConfidence === ROOTLESS;
}

/** The prefix of keys below a root, if it is not its name; otherwise null. */
function beginningOf({ name, label }: LeafRoot, shape: string): Labelling['beginning'] | null {
  if (label === undefined) return null;
  const raw = joinPath('', name);
  if (label !== '') return { raw, shown: label };
  // The name is needed if the root itself is a leaf or a list.
  if (shape === raw || shape.startsWith(`${raw}[*]`)) return null;
  return shape[raw.length] === '.' ? { raw: `${raw}.`, shown: '' } : { raw, shown: '' };
}

/** True if a name on the path has the shape of a secret, or is one by its place: `tokens["9f8e…"]`. */
export function hasSecretName(path: string): boolean {
  // A fast path: nothing on it looks like data, and short identifiers are no secrets.
  if (!path.includes('["') && !/[\w$]{12}/.test(path)) return false;
  const segments = parsePath(replaceStars(path, () => '[0]')) ?? [path];
  const isBelowSecrets = mayNameSecret(path);
  return segments.some((segment, at) => {
    if (typeof segment !== 'string') return false;
    if (holdsSecret(segment)) return true;
    // The segment directly above decides; a list has no names below it.
    return isBelowSecrets && typeof segments[at - 1] === 'string' && isSecretName(segment, above(segments, at));
  });
}

/** The part of the path that is needed to judge a segment. */
const above = (segments: readonly Segment[], at: number) => segments.slice(Math.max(0, at - 4), at).join('.');

export function isOpaqueLabel(label: string): boolean {
  return label.startsWith('unknown_0x');
}

/** `a[*].b[*]` with the indices of `x[3].y[4]` is `a[3].b[4]`. */
export function fillPattern(pattern: string, rawPath: string): string {
  const indices = indicesOf(rawPath);
  let next = 0;
  return replaceStars(pattern, () => `[${indices[next++] ?? 0}]`);
}

/** Each `[*]` of a pattern, but for those inside a quoted name. */
export function replaceStars(pattern: string, replacement: () => string): string {
  if (!pattern.includes('[*]')) return pattern;
  return pattern.replace(/"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|\[\*\]/g, (token) =>
    token[0] === '"' ? token : replacement(),
  );
}

function indicesOf(path: string): Segment[] {
  return (parsePath(path) ?? []).filter((segment) => typeof segment === 'number');
}

/**
 * A corrected label with the same indices as its key is for every element; any other is for that key only. Returns the
 * entry for the schema.
 */
export function generalise(rawPath: string, label: string): { shape: string; label: string } {
  const own = indicesOf(rawPath);
  const same = own.length > 0 && own.join() === indicesOf(label).join();
  return same ? { shape: pathPattern(rawPath), label: pathPattern(label) } : { shape: rawPath, label };
}

/** A person has corrected the type: values in another notation are converted to it. */
export function toType(value: Scalar, type: LabelEntry['type'] | null): Scalar {
  if (type === 'number' && typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
    return Number(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  if (type === 'boolean' && (value === 0 || value === 1)) return value === 1;
  if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return String(value);
  return value;
}

export function typeOf(value: Scalar): LabelEntry['type'] {
  if (value === null) return 'null';
  return typeof value as 'string' | 'number' | 'boolean';
}

const byName = (roots: readonly LeafRoot[]) => new Map(roots.map((root) => [root.name, root]));
