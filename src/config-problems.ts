/** Describes the problems of a table of settings: the value found, the value expected, the nearest valid name. */
import { parse } from 'smol-toml';
import * as z from 'zod';
import { configSchema } from './config-schema.ts';

export type Table = Record<string, unknown>;
type Keys = readonly PropertyKey[];
type JsonSchema = z.core.JSONSchema.JSONSchema;

interface Problem {
  keys: Keys;
  text: string;
}

// A file in which everything is wrong (no config file at all) needs no longer list.
const MAX_PROBLEMS = 10;
const MAX_SHOWN_CHARS = 60;
// Finding a line parses every prefix of the file, so a file of absurd length gets no line numbers past this.
const MAX_SEARCHED_LINES = 2000;

// JSON Schema has the types, ranges and enumerations as plain data. Built on demand: most starts need none.
let described: JsonSchema | undefined;
function rootSchema(): JsonSchema {
  described ??= z.toJSONSchema(configSchema, { io: 'input' });
  return described;
}

/** Zod compiles a schema at its first use, which takes longer than one use without compiling. */
export const ONCE = { jitless: true };

export function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

export function problemsOf(table: Table): Problem[] {
  if (Object.keys(table).length === 0) return [];
  const result = configSchema.safeParse(table, ONCE);
  if (result.success) return [];
  const problems = result.error.issues.flatMap((issue): Problem[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.slice(0, MAX_PROBLEMS).map((key) => unknownName(issue.path, key));
    }
    const found = describeValue(valueAt(table, issue.path));
    const expected = describeSchema(schemaAt(issue.path));
    return [{ keys: issue.path, text: `${settingName(issue.path)}: found ${found}, expected ${expected}` }];
  });
  return problems.slice(0, MAX_PROBLEMS);
}

/** The schema of a section, a setting, or (with a number as the last key) an element of a list. */
export function schemaAt(keys: Keys): JsonSchema | undefined {
  let schema: JsonSchema | undefined = rootSchema();
  for (const key of keys) {
    const inner: unknown = typeof key === 'number' ? schema?.items : ownValue(schema?.properties, key);
    schema = isTable(inner) ? inner : undefined;
  }
  return schema;
}

/** The keys of all settings. */
export function settingPaths(keys: readonly string[] = []): string[][] {
  const schema = schemaAt(keys);
  if (schema?.type !== 'object') return [[...keys]];
  return namesIn(schema).flatMap((name) => settingPaths([...keys, name]));
}

/** `; did you mean "port"?`, or nothing if no name is near. */
export function suggestion(name: string, candidates: readonly string[]): string {
  let nearest: string | undefined;
  // A third of the letters may differ; two always may, since swapped letters count as two.
  let best = Math.min(Math.max(2, name.length / 3), name.length - 1) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < best) [nearest, best] = [candidate, distance];
  }
  return nearest === undefined ? '' : `; did you mean ${JSON.stringify(nearest)}?`;
}

/** The line where the statement that sets these keys begins. */
export function lineOf(keys: Keys, toml: string): number | null {
  // A prefix of the file that parses ends between two statements, so the TOML parser itself finds the boundaries,
  // whatever multi-line strings and lists are in between.
  const lines = toml.split('\n').slice(0, MAX_SEARCHED_LINES);
  let statement = 0;
  for (const [index, line] of lines.entries()) {
    // Between statements a comment or an empty line needs no parsing; within one it may be part of a string.
    const table = statement === index && /^\s*(?:#.*)?$/.test(line) ? {} : parsed(lines.slice(0, index + 1).join('\n'));
    if (table === null) continue;
    if (valueAt(table, keys) !== undefined) return statement + 1;
    statement = index + 1;
  }
  return null;
}

function parsed(toml: string): Table | null {
  try {
    return parse(toml);
  } catch {
    // Not a whole statement yet: the caller adds the next line.
    return null;
  }
}

function unknownName(parent: Keys, key: string): Problem {
  const names = namesIn(schemaAt(parent));
  const what = parent.length === 0 ? 'unknown section or key' : `unknown key in ${settingName(parent)}:`;
  const elsewhere = settingPaths().find((keys) => keys.at(-1) === key);
  const near = suggestion(key, names);
  const hint = near === '' && elsewhere !== undefined ? `; did you mean ${settingName(elsewhere)}?` : near;
  return { keys: [...parent, key], text: `${what} ${shortened(key)}, expected one of ${names.join(', ')}${hint}` };
}

function namesIn(schema: JsonSchema | undefined): string[] {
  return Object.keys(schema?.properties ?? {});
}

/** The setting as it appears in the file: `[probe.v8] heap_scan`, `[scanner] exclude[2]`. */
function settingName(keys: Keys): string {
  const sections = keys.filter((_, index) => schemaAt(keys.slice(0, index + 1))?.type === 'object');
  const rest = keys.slice(sections.length).map((key) => (typeof key === 'number' ? `[${key}]` : String(key)));
  return `[${sections.map(String).join('.')}] ${rest.join('')}`.trim();
}

function valueAt(table: unknown, keys: Keys): unknown {
  return keys.reduce<unknown>(ownValue, table);
}

function ownValue(holder: unknown, key: PropertyKey): unknown {
  if (typeof holder !== 'object' || holder === null) return undefined;
  return Object.getOwnPropertyDescriptor(holder, key)?.value;
}

function describeValue(value: unknown): string {
  if (typeof value === 'string') return shortened(value);
  if (typeof value !== 'object') return String(value);
  if (value instanceof Date) return 'a date';
  return Array.isArray(value) ? 'a list' : 'a table';
}

function shortened(text: string): string {
  return text.length > MAX_SHOWN_CHARS ? `${JSON.stringify(text.slice(0, MAX_SHOWN_CHARS))}…` : JSON.stringify(text);
}

function describeSchema(schema: JsonSchema | undefined): string {
  if (schema?.description !== undefined) return schema.description;
  if (schema?.enum !== undefined) return `one of ${schema.enum.map((value) => JSON.stringify(value)).join(', ')}`;
  if (schema?.anyOf !== undefined) return schema.anyOf.map(describeSchema).join(' or ');
  if (schema?.type === 'boolean') return 'true or false';
  if (schema?.type === 'integer') return `a whole number${describeRange(schema)}`;
  if (schema?.type === 'string') return (schema.minLength ?? 0) > 0 ? 'a string that is not empty' : 'a string';
  if (schema?.type === 'array') return 'a list';
  return `a section with ${namesIn(schema).join(', ')}`;
}

function describeRange({ minimum, maximum }: JsonSchema): string {
  const from = minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER;
  const to = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  if (from && to) return ` from ${minimum} to ${maximum}`;
  if (from) return ` of at least ${minimum}`;
  return to ? ` of at most ${maximum}` : '';
}

/** Levenshtein distance, one row at a time. */
function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
