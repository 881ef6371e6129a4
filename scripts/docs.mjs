// `npm run docs [-- --out FILE]`: brings the generated parts of docs/api.md up to date. They come from the route table,
// the OpenAPI document and the error table in src/, from docs/source/api-notes.json (words) and from
// docs/source/api-examples.json (requests and responses of a real run). Everything between the marks
// `<!-- generated: NAME -->` and `<!-- end: NAME -->` is replaced; the text around them is written by hand.
// Stops when a field has no note, a route has no example, or an example does not fit.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';

const ROOT = path.resolve(path.dirname(new URL(import.meta.url).pathname), '..');
const WIDTH = 120;
const PAGE = path.join(ROOT, 'docs/api.md');
const BUCKETS = { state: 'state', action: 'action' };

const problems = [];
const { ROUTES, openApiDocument, ERROR_STATUS, ERROR_DOCS, errorCodesOf } = await loadSources();
const notes = readJson('docs/source/api-notes.json');
const examples = readJson('docs/source/api-examples.json');
const usedNotes = new Set();
const document = openApiDocument(ROUTES, '0');
const schemas = document.components.schemas;

const parts = {
  'route table': routeTable(),
  routes: ROUTES.map(routeSection).join('\n\n'),
  objects: Object.keys(schemas).map(objectSection).join('\n\n'),
  errors: errorList(),
};
reportLeftovers();
const page = Object.entries(parts).reduce(replacePart, fs.readFileSync(PAGE, 'utf8'));
if (problems.length > 0) {
  console.error(problems.map((problem) => `docs: ${problem}`).join('\n'));
  process.exit(1);
}
const out = process.argv[2] === '--out' ? process.argv[3] : PAGE;
fs.writeFileSync(out, page);

async function loadSources() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-docs-'));
  const outfile = path.join(folder, 'sources.mjs');
  const contents = `
    export { ROUTES } from './src/http/routes.ts';
    export { openApiDocument } from './src/http/openapi.ts';
    export { ERROR_DOCS, errorCodesOf } from './src/http/error-docs.ts';
    export { ERROR_STATUS } from './src/model/errors.ts';`;
  const banner = "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);";
  try {
    await build({
      stdin: { contents, resolveDir: ROOT },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      banner: { js: banner },
    });
    return await import(outfile);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function readJson(file) {
  return JSON.parse(fs.readFileSync(path.join(ROOT, file), 'utf8'));
}

function replacePart(text, [name, content]) {
  const [start, end] = [`<!-- generated: ${name} -->`, `<!-- end: ${name} -->`];
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) {
    problems.push(`docs/api.md has no ${start} … ${end}`);
    return text;
  }
  return `${text.slice(0, from + start.length)}\n\n${content}\n\n${text.slice(to)}`;
}

// ---- routes ---------------------------------------------------------------------------------------------------------

function routeTable() {
  const rows = ROUTES.map((route) => {
    const link = `[\`${route.path}\`](#${route.doc.operationId.toLowerCase()})`;
    return [route.upgrade ? 'WS' : route.method, link, auth(route), bucket(route), limit(route)];
  });
  return table(['Method', 'Path', 'Key', 'Bucket', 'Time limit'], rows);
}

/** Padded, as the formatter would have it. */
function table(head, rows) {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

function auth({ auth, upgrade, bearer }) {
  if (!auth) return 'none';
  if (bearer) return 'header or bearer';
  return upgrade ? 'header or `?key=`' : 'header';
}

function bucket({ bucket }) {
  return bucket === null ? 'none' : (BUCKETS[bucket] ?? problems.push(`no words for the bucket ${bucket}`));
}

function limit(route) {
  if (route.upgrade) return 'none';
  return notes.time_limits[route.doc.operationId] ?? `${route.timeoutMs / 1000} s`;
}

function routeSection(route) {
  const { operationId, summary } = route.doc;
  const method = route.upgrade ? 'WS' : route.method;
  return [
    `### ${operationId}`,
    `**\`${method} ${route.path}\`**`,
    wrap(summary),
    ...(notes.routes[operationId] ?? []).map((text) => wrap(text)),
    wrap(`Key: ${auth(route)}. Bucket: ${bucket(route)}. Time limit: ${limit(route)}.`),
    ...parametersOf(route),
    ...requestOf(route),
    answerOf(route),
    wrap(
      `[Errors](#errors): ${errorCodesOf(route)
        .map((code) => `\`${code}\``)
        .join(', ')}.`,
    ),
    ...exampleOf(route),
  ].join('\n\n');
}

function parametersOf(route) {
  const { parameters = [] } = document.paths[route.path][route.method.toLowerCase()];
  if (parameters.length === 0) return [];
  const lines = parameters.map(({ name, in: place, required, schema, description }) => {
    const facts = [place, typeOf(schema), required ? 'required' : 'optional', ...defaultOf(schema)].join(', ');
    return wrap(`- \`${name}\` (${facts}): ${description}`, '  ');
  });
  return [`Parameters:\n\n${lines.join('\n')}`];
}

function requestOf(route) {
  if (route.request === null) return [];
  const { schema } = document.paths[route.path].post.requestBody.content['application/json'];
  return [`Request body: ${typeOf(schema)}.`];
}

function answerOf(route) {
  if (typeof route.doc.answer === 'string') return `Answer: \`${route.doc.answer}\`.`;
  const [success] = Object.values(document.paths[route.path][route.method.toLowerCase()].responses);
  const { schema } = success.content['application/json'];
  if (schema.$ref === undefined && schema.anyOf === undefined) return 'Answer: a JSON document.';
  return route.upgrade ? `Each message: ${typeOf(schema)}.` : `Answer: ${typeOf(schema)}.`;
}

function exampleOf(route) {
  const example = examples[route.doc.operationId];
  if (example === undefined) {
    problems.push(`docs/source/api-examples.json has no example of ${route.doc.operationId}`);
    return [];
  }
  checkExample(route, example.response);
  const text = typeof example.response === 'string' ? example.response : render(example.response, '');
  const language = typeof example.response === 'string' ? 'text' : 'json';
  const shortened = example.shortened === undefined ? [] : [`Shortened: ${example.shortened}.`];
  return [`\`\`\`sh\n${example.curl.join('\n')}\n\`\`\``, ...shortened, `\`\`\`${language}\n${text}\n\`\`\``];
}

/** A field that went or changed its type must not live on in an example. */
function checkExample({ doc }, response) {
  if (typeof doc.answer === 'string') return;
  const result = doc.answer.safeParse(withIds(response));
  for (const { path: place, message } of result.error?.issues ?? [])
    problems.push(`the example of ${doc.operationId} does not fit at ${place.join('.')}: ${message}`);
}

function withIds(value) {
  if (Array.isArray(value)) return value.map(withIds);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withIds(inner)]));
  return /^<\w+>$/.test(value) ? '01900000-0000-7000-8000-000000000000' : value;
}

/** JSON as people write it: what fits on a line stays on one. */
function render(value, indent) {
  const flat = JSON.stringify(value, null, 1)
    ?.replace(/\n\s*/g, ' ')
    .replace(/(\[) | (?=\])|(\{) (?=\})/g, '$1$2');
  if (typeof value !== 'object' || value === null || indent.length + flat.length < 90) return flat;
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item) => `${inner}${render(item, inner)}`)
    : Object.entries(value).map(([name, item]) => `${inner}${JSON.stringify(name)}: ${render(item, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

// ---- objects and errors ---------------------------------------------------------------------------------------------

function objectSection(name) {
  const about = note(`${name}`);
  return [`### ${name}`, ...(about === null ? [] : [wrap(about)]), fieldList(name, schemas[name], '').join('\n')].join(
    '\n\n',
  );
}

function fieldList(owner, schema, indent) {
  return Object.entries(schema.properties).flatMap(([name, field]) => {
    const place = `${owner}.${name}`;
    const isRequired = schema.required?.includes(name) ?? false;
    const facts = [typeOf(field), ...(isRequired ? [] : ['optional']), ...defaultOf(field)].join(', ');
    const text = note(place) ?? note(`*.${name}`);
    if (text === null) problems.push(`docs/source/api-notes.json has no note on the field ${place}`);
    const inner = inlineObject(field);
    return [
      wrap(`${indent}- \`${name}\` (${facts}): ${text}`, `${indent}  `),
      ...(inner === null ? [] : fieldList(place, inner, `${indent}  `)),
    ];
  });
}

function note(place) {
  usedNotes.add(place);
  return notes.fields[place] ?? null;
}

/** The object without a name of its own that a field holds, in a list or a map too. */
function inlineObject(field) {
  const [only] = field.anyOf?.filter(({ type }) => type !== 'null') ?? [field];
  const inner = only.items ?? (typeof only.additionalProperties === 'object' ? only.additionalProperties : only);
  return inner.properties === undefined ? null : inner;
}

function typeOf(schema) {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1);
    return `[${name}](#${name.toLowerCase()})`;
  }
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(', ');
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  if (schema.format === 'uuid') return 'string, UUIDv7';
  if (schema.format === 'date-time') return 'string, ISO 8601';
  if (schema.type === 'integer' || schema.type === 'number') return `${schema.type}${range(schema)}`;
  if (schema.type === 'string') return `string${size(schema, 'characters')}`;
  if (schema.type === 'array') return `array of ${typeOf(schema.items)}${size(schema, 'entries')}`;
  if (schema.type !== 'object') return schema.type ?? 'any JSON value';
  const { additionalProperties: values } = schema;
  return schema.properties === undefined && values ? `map of ${typeOf(values)}` : 'object';
}

function range({ minimum, maximum }) {
  const from = minimum > Number.MIN_SAFE_INTEGER ? minimum : null;
  const to = maximum < Number.MAX_SAFE_INTEGER ? maximum : null;
  if (from !== null && to !== null) return ` from ${from} to ${to}`;
  return from === null ? '' : ` of at least ${from}`;
}

function size({ minLength, maxLength, minItems, maxItems }, what) {
  const [from, to] = [minLength ?? minItems ?? 0, maxLength ?? maxItems];
  if (to !== undefined) return ` of ${from} to ${to} ${what}`;
  return from > 0 ? ', not empty' : '';
}

function defaultOf(schema) {
  return schema.default === undefined ? [] : [`default \`${schema.default}\``];
}

function errorList() {
  return Object.entries(ERROR_STATUS)
    .map(([code, status]) => {
      const { cause, remedy } = ERROR_DOCS[code];
      return `${wrap(`- **\`${code}\`** (${status}). ${cause}`, '  ')}\n${wrap(`  Remedy: ${remedy}`, '  ')}`;
    })
    .join('\n');
}

/** A note on what is no longer there would never be read again. */
function reportLeftovers() {
  const known = {
    fields: usedNotes,
    routes: new Set(ROUTES.map(({ doc }) => doc.operationId)),
    time_limits: new Set(ROUTES.map(({ doc }) => doc.operationId)),
  };
  for (const [kind, names] of Object.entries(known))
    for (const name of Object.keys(notes[kind]))
      if (!names.has(name)) problems.push(`docs/source/api-notes.json: ${kind} ${name} belongs to nothing`);
  for (const name of Object.keys(examples))
    if (!known.routes.has(name)) problems.push(`docs/source/api-examples.json: ${name} is no route`);
}

function wrap(text, indent = '') {
  const lines = [''];
  for (const word of text.split(/(?<=\S) /)) {
    const line = lines.at(-1);
    if (line.trim() !== '' && line.length + 1 + word.length > WIDTH) lines.push(indent + word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}
