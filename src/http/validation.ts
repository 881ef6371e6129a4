/**
 * Turns the problems that zod finds into one line that names the field and the expected value. Never repeats a value.
 */
import * as z from 'zod';
import { SubstrateError } from '../model/errors.ts';
import { isRecord } from '../model/record.ts';

type JsonSchema = z.core.JSONSchema.JSONSchema;
type Path = readonly PropertyKey[];

const MAX_ISSUES = 5;
const MAX_NAME_CHARS = 60;

// JSON Schema has types, ranges and enumerations as plain data. Built on first use.
const described = { input: new WeakMap<z.ZodType, JsonSchema>(), output: new WeakMap<z.ZodType, JsonSchema>() };

/** Null for an optional field counts as absent: many typed clients send it. */
export function parseBody<T>(schema: z.ZodType<T>, value: unknown): T {
  return checked(schema, withoutNulls(value, asJsonSchema(schema, 'input')), 'body');
}

/** The value of an absent parameter is the same for every request. */
const absent = new WeakMap<z.ZodType, { readonly value: unknown }>();

export function parseParameter<T>(name: string, schema: z.ZodType<T>, value: unknown): T {
  if (value !== undefined) return checked(schema, value, name);
  const known = absent.get(schema);
  if (known !== undefined) return known.value as T;
  const meant = checked(schema, value, name);
  if (typeof meant !== 'object') absent.set(schema, { value: meant });
  return meant;
}

function checked<T>(schema: z.ZodType<T>, value: unknown, root: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const lines = result.error.issues.slice(0, MAX_ISSUES).map((issue) => explain(issue, schema, root));
  throw new SubstrateError('invalid_request', lines.join('; '));
}

function explain(issue: z.core.$ZodIssue, schema: z.ZodType, root: string): string {
  const place = schemaAt(schema, issue.path);
  const name = nameOf(issue.path, root);
  if (issue.code === 'custom') return `${name}: ${issue.message}`;
  if (issue.code === 'unrecognized_keys') {
    const unknown = issue.keys.slice(0, MAX_ISSUES).map(shortened).join(', ');
    return `${unknown}: not a field of ${name}; expected only ${Object.keys(place?.properties ?? {}).join(', ')}`;
  }
  return `${name}: expected ${describe(place)}`;
}

function nameOf(path: Path, root: string): string {
  if (path.length === 0) return root;
  return path.reduce<string>((name, key) => {
    if (typeof key === 'number') return `${name}[${key}]`;
    return name === '' ? shortened(String(key)) : `${name}.${shortened(String(key))}`;
  }, '');
}

function shortened(name: string): string {
  return name.length > MAX_NAME_CHARS ? `${name.slice(0, MAX_NAME_CHARS)}…` : name;
}

/** Handles only fields that the schema names: the parameters of an action keep their nulls. */
function withoutNulls(value: unknown, schema: unknown): unknown {
  if (!isSchema(schema)) return value;
  if (Array.isArray(value)) return value.map((element) => withoutNulls(element, schema.items));
  const { properties, required = [] } = schema;
  if (!isRecord(value) || !isRecord(properties)) return value;
  const isAbsent = (name: string, field: unknown) =>
    field === null && Object.hasOwn(properties, name) && !required.includes(name);
  const kept = Object.entries(value).filter(([name, field]) => !isAbsent(name, field));
  return Object.fromEntries(
    kept.map(([name, field]) => [
      name,
      Object.hasOwn(properties, name) ? withoutNulls(field, properties[name]) : field,
    ]),
  );
}

function asJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const known = described[io].get(schema);
  if (known !== undefined) return known;
  const built = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  described[io].set(schema, built);
  return built;
}

function schemaAt(root: z.ZodType, path: Path): JsonSchema | undefined {
  let schema: unknown = asJsonSchema(root, 'output');
  for (const key of path) {
    if (!isSchema(schema)) return undefined;
    const properties: unknown = schema.properties;
    schema = typeof key === 'number' ? schema.items : isRecord(properties) ? properties[String(key)] : undefined;
  }
  return isSchema(schema) ? schema : undefined;
}

function isSchema(value: unknown): value is JsonSchema {
  return isRecord(value);
}

function describe(schema: JsonSchema | undefined): string {
  if (schema === undefined) return 'another value';
  if (schema.enum !== undefined) return `one of ${schema.enum.map(String).join(', ')}`;
  switch (schema.type) {
    case 'integer':
      return `an integer${range(schema.minimum, schema.maximum)}`;
    case 'number':
      return `a number${range(schema.minimum, schema.maximum)}`;
    case 'string':
      return `a string${size(schema.minLength, schema.maxLength, 'characters')}`;
    case 'array':
      return `an array${size(schema.minItems, schema.maxItems, 'entries')}`;
    case 'boolean':
      return 'true or false';
    default:
      return schema.type === 'object' ? 'an object' : 'another value';
  }
}

function range(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum === undefined || maximum === undefined) return '';
  return ` from ${minimum} to ${maximum}`;
}

function size(minimum: number | undefined, maximum: number | undefined, what: string): string {
  if (maximum !== undefined) return ` of ${minimum ?? 0} to ${maximum} ${what}`;
  return minimum === undefined ? '' : ' that is not empty';
}
