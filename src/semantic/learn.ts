/** Applies a person's corrections to the schema. */
import type { AppSchema, LabelEntry } from '../model/app-schema.ts';
import { formatPath, parsePath, pathPattern } from '../model/path.ts';
import type { RawAction } from '../model/raw-action.ts';
import { TYPE_NAMES, type TypeName } from '../model/scalar.ts';
import type { Correction, LearnRequest } from '../model/wire.ts';
import { type Action, isNamedBySecret } from './actions.ts';
import type { Engine } from './engine.ts';
import { LabelOwners } from './label-owners.ts';
import { fillPattern, generalise, hasSecretName, isOpaqueLabel } from './labels.ts';
import { bumpPatch, nextMinor } from './schema-notes.ts';

export interface LearnResult {
  readonly accepted: number;
  /** One sentence per rejected correction. */
  readonly rejections: readonly string[];
  /** Keys that lost their name to a corrected one. */
  readonly displaced: readonly string[];
}

export interface KnownActions {
  readonly raw: readonly RawAction[];
  readonly named: ReadonlyMap<string, Action>;
}

/** Changes `engine.schema`; the keys follow at the next capture. `by`: the id of the requesting key. */
export function learn(engine: Engine, actions: KnownActions, request: LearnRequest, by: string): LearnResult {
  if (request.schema_version !== engine.schema.schema_version) {
    const reason = `schema_version ${request.schema_version} is not the current ${engine.schema.schema_version}: read the state again.`;
    return { accepted: 0, rejections: request.corrections.map(() => reason), displaced: [] };
  }
  let accepted = 0;
  const rejections: string[] = [];
  const displaced: string[] = [];
  const confirmed = confirmedOwners(engine.schema);
  const paths = new KnownPaths(engine.schema);
  for (const correction of request.corrections) {
    const reason = takeCorrection(engine, actions, { confirmed, paths }, request.feedback_type, correction, by);
    if (reason === null) {
      accepted++;
      if (request.feedback_type === 'label_correction' && engine.loseName(correction))
        displaced.push(correction.correct_label);
    } else rejections.push(`${correction.observed_key}: ${reason}`);
  }
  if (accepted > 0) {
    const patched = bumpPatch(engine.schema.schema_version, accepted);
    engine.schema.schema_version = displaced.length > 0 ? nextMinor(patched) : patched;
    engine.relabelSoon();
  }
  return { accepted, rejections, displaced };
}

function takeCorrection(
  engine: Engine,
  actions: KnownActions,
  { confirmed, paths }: { readonly confirmed: LabelOwners; readonly paths: KnownPaths },
  kind: LearnRequest['feedback_type'],
  correction: Correction,
  by: string,
): string | null {
  if (!isTypeName(correction.correct_type)) return `correct_type must be one of ${TYPE_NAMES.join(', ')}.`;
  if (kind === 'action_correction')
    return correctAction(engine.schema, actions, correction, correction.correct_type, by);
  const rawPath = engine.rawPathOf(correction.observed_key) ?? paths.of(correction.observed_key);
  if (rawPath === null) return 'there is no such key in the current schema.';
  if (hasSecretName(rawPath)) return 'its name in the app holds a secret and cannot be stored.';
  const notes = correction.notes === undefined ? {} : { notes: correction.notes };
  const base = { type: correction.correct_type, confidence: correction.confidence, confirmed: true, by, ...notes };
  if (kind === 'type_correction') {
    const { shape, label } = generalise(rawPath, correction.observed_key);
    confirm(engine.schema, confirmed, shape, { ...base, label });
    return null;
  }
  const segments = parsePath(correction.correct_label);
  if (segments === null) return 'correct_label is no dot-notation path such as inbox.emails[0].subject.';
  const { shape, label } = generalise(rawPath, formatPath(segments));
  if (segments.includes('__proto__')) return 'correct_label must not contain __proto__.';
  if (isOpaqueLabel(label)) return 'correct_label is an opaque key: give it a name.';
  if (confirmed.of(label).some((owner) => owner !== shape))
    return `${correction.correct_label} is already the confirmed name of another key.`;
  confirm(engine.schema, confirmed, shape, { ...base, label });
  return null;
}

/** Paths of keys that have left the state: a list became shorter, a dialog was closed. Read once per request. */
class KnownPaths {
  private readonly schema: AppSchema;
  private shapes: Map<string, string> | null = null;

  constructor(schema: AppSchema) {
    this.schema = schema;
  }

  of(key: string): string | null {
    this.shapes ??= new Map(Object.entries(this.schema.labels).map(([shape, { label }]) => [label, shape]));
    const exact = this.shapes.get(key);
    if (exact !== undefined) return exact;
    const shape = this.shapes.get(pathPattern(key));
    return shape === undefined ? null : fillPattern(shape, key);
  }
}

/** Built once per request: there may be as many corrections as labels. */
function confirmedOwners({ labels }: AppSchema): LabelOwners {
  const owners = new LabelOwners();
  for (const [shape, { label, confirmed }] of Object.entries(labels)) if (confirmed) owners.add(label, shape);
  return owners;
}

function confirm({ labels }: AppSchema, owners: LabelOwners, shape: string, entry: LabelEntry): void {
  const known = labels[shape];
  if (known) owners.delete(known.label, shape);
  labels[shape] = entry;
  owners.add(entry.label, shape);
}

function correctAction(
  schema: AppSchema,
  { raw, named }: KnownActions,
  correction: Correction,
  returns: TypeName,
  by: string,
): string | null {
  const action = named.get(correction.observed_key);
  if (!action) return 'there is no such action.';
  const { rawName } = action;
  const isTaken =
    (correction.correct_label !== correction.observed_key && named.has(correction.correct_label)) ||
    [...named.values()].some(
      ({ rawName: other }) => other !== rawName && schema.actions[other]?.name === correction.correct_label,
    );
  if (isTaken) {
    return `${correction.correct_label} is already the name of another action.`;
  }
  const { binding } = correction;
  if (binding !== undefined && !raw.some((known) => isNamed(known, binding) && !isNamedBySecret(known))) {
    return `binding ${binding} names no method of this app.`;
  }
  schema.actions[rawName] = {
    name: correction.correct_label,
    returns,
    confidence: correction.confidence,
    by,
    ...(binding === undefined ? {} : { binding }),
    ...(correction.notes === undefined ? {} : { notes: correction.notes }),
  };
  return null;
}

function isNamed(action: RawAction, binding: string): boolean {
  return action.binding === binding || action.name === binding;
}

function isTypeName(text: string): text is TypeName {
  return TYPE_NAMES.some((name) => name === text);
}
