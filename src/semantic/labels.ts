/** From the raw path of a leaf to the key under which it is shown. */
import type { AppSchema, LabelEntry } from '../model/app-schema.ts';
import type { LeafRoot } from '../model/leaves.ts';
import { formatPath, parsePath, pathPattern, type Segment } from '../model/path.ts';
import type { Scalar } from '../model/scalar.ts';
import { opaqueKey } from './opaque.ts';
import { hasSecretShape, isSecretPath } from './redact.ts';

/** What is decided once for all leaves of one shape. */
export interface Labelling {
  /** How to name a leaf; null: it stays opaque. With `[*]` for each index of the raw path. */
  readonly label: string | null;
  readonly confidence: number;
  readonly confirmed: boolean;
  readonly secret: boolean;
  readonly type: LabelEntry['type'] | null;
}

/** Names from the app's own source are right nearly always; a name that lost its root is a little less sure. */
const NAMED = 0.97;
const ROOTLESS = 0.85;
const OPAQUE = 0.3;

/** Remembers one decision per shape; made anew when the schema or the roots change. */
export class Labeller {
  private readonly appId: string;
  private readonly schema: AppSchema;
  private readonly mangledRoots: ReadonlySet<string>;
  private readonly byShape = new Map<string, Labelling>();
  private readonly exactPaths: ReadonlySet<string>;

  constructor(appId: string, schema: AppSchema, roots: readonly LeafRoot[]) {
    this.appId = appId;
    this.schema = schema;
    this.mangledRoots = new Set(roots.filter((root) => root.mangled).map((root) => root.name));
    this.exactPaths = new Set(Object.keys(schema.labels).filter((path) => /\[\d/.test(path)));
  }

  /** `shape` is what the decision is kept under: the pattern, or the path itself where a person corrected just that one. */
  labelling(rawPath: string): { shape: string; labelling: Labelling } {
    const shape = this.exactPaths.has(rawPath) ? rawPath : pathPattern(rawPath);
    let labelling = this.byShape.get(shape);
    if (!labelling) {
      labelling = this.decide(shape);
      this.byShape.set(shape, labelling);
    }
    return { shape, labelling };
  }

  keyFor(rawPath: string, labelling: Labelling, shape: string): string {
    if (labelling.label === null) return opaqueKey(this.appId, rawPath);
    if (labelling.label === shape) return rawPath;
    return fillPattern(labelling.label, rawPath);
  }

  private decide(shape: string): Labelling {
    const known = this.schema.labels[shape];
    const secret = isSecretPath(shape);
    if (known) {
      const secretLabel = secret || isSecretPath(known.label);
      const opaque = known.label.startsWith('unknown_0x');
      return { ...known, label: opaque ? null : known.label, secret: secretLabel };
    }
    const base = { confirmed: false, secret, type: null };
    const segments = parsePath(shape.replaceAll('[*]', '[0]'));
    // A secret as a name (sessions["eyJ…"]) must not become a key.
    if (!segments || segments.some((segment) => typeof segment === 'string' && hasSecretShape(segment))) {
      return { ...base, label: null, confidence: OPAQUE };
    }
    if (!this.mangledRoots.has(String(segments[0]))) return { ...base, label: shape, confidence: NAMED };
    const rest = segments.slice(1);
    if (!rest.some((segment) => typeof segment === 'string' && segment.length > 2))
      return { ...base, label: null, confidence: OPAQUE };
    return { ...base, label: formatPath(rest).replace(/\[0\]/g, '[*]'), confidence: ROOTLESS };
  }
}

/** `a[*].b[*]` with the indices of `x[3].y[4]` is `a[3].b[4]`. */
function fillPattern(pattern: string, rawPath: string): string {
  const indices = rawPath.match(/\[\d+\]/g) ?? [];
  let next = 0;
  return pattern.replace(/\[\*\]/g, () => indices[next++] ?? '[0]');
}

/**
 * A corrected label that carries the same indices as the key it corrects speaks of every element; any other of that one
 * key alone. Returns what the schema stores.
 */
export function generalise(rawPath: string, label: string): { shape: string; label: string } {
  const indices = (path: string): Segment[] => (parsePath(path) ?? []).filter((segment) => typeof segment === 'number');
  const own = indices(rawPath);
  const same = own.length > 0 && own.join() === indices(label).join();
  return same ? { shape: pathPattern(rawPath), label: pathPattern(label) } : { shape: rawPath, label };
}

/** A person said what type this is: values that are written in another way are read as that type. */
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
