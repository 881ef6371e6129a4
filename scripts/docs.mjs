// `npm run docs [-- --out FILE]`: updates the generated parts of docs/api.md. They come from the route table, the
// OpenAPI document and the error table in src/, from docs/source/api-notes.json (words) and from
// docs/source/api-examples.json (requests and responses of a real run). Everything between the marks `<!-- generated:
// NAME -->` and `<!-- end: NAME -->` is replaced; the text around them is written by hand. Facts about many routes or
// objects (errors, `{pid}`, common fields) are written once, by hand or as a list of their own. Fails if a field has no
// note, a route has no example, or an example does not match.
import fs from 'node:fs';
import path from 'node:path';
import { loadSources } from './load-source.mjs';

const ROOT = path.resolve(path.dirname(new URL(import.meta.url).pathname), '..');
const WIDTH = 120;
const PAGE = path.join(ROOT, 'docs/api.md');
const BUCKETS = { state: 'state', action: 'action' };

const problems = [];
const { ROUTES, openApiDocument, ERROR_STATUS, ERROR_DOCS, errorCodesOf } = await loadSources(
  'src/http/routes.ts',
  'src/http/openapi.ts',
  'src/http/error-docs.ts',
  'src/model/errors.ts',
);
const notes = readJson('docs/source/api-notes.json');
const examples = readJson('docs/source/api-examples.json');
const usedNotes = new Set();
/** Answers without a name that an earlier route has described: schema -> place. */
const inlineAnswers = new Map();
const document = openApiDocument(ROUTES, '0');
const schemas = document.components.schemas;

const parts = {
  'route table': routeTable(),
  routes: ROUTES.map(routeSection).join('\n\n'),
  'common fields': commonFields(),
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

/** The default, a key in the header, is described once before the list. */
function routeTable() {
  const rows = ROUTES.map((route) => {
    const link = `[\`${route.path}\`](#${route.doc.operationId.toLowerCase()})`;
    const key = auth(route) === 'header' ? [] : [auth(route)];
    return `- ${route.upgrade ? 'WS' : route.method} ${link}: ${[bucket(route), ...key].join(', ')}`;
  });
  return `${rows.join('\n')}\n\n${timeLimits()}`;
}

function auth({ auth, upgrade, bearer }) {
  if (!auth) return 'no key';
  if (bearer) return 'header or bearer';
  return upgrade ? 'header or `?key=`' : 'header';
}

function bucket({ bucket }) {
  return bucket === null ? 'free' : (BUCKETS[bucket] ?? problems.push(`no words for the bucket ${bucket}`));
}

/** The usual limit, and the routes with another one. */
function timeLimits() {
  const limits = ROUTES.map((route) => [`\`${route.path}\``, limit(route)]);
  const count = (text) => limits.filter(([, other]) => other === text).length;
  const usual = limits.map(([, text]) => text).reduce((one, other) => (count(other) > count(one) ? other : one));
  const others = limits.filter(([, text]) => text !== usual).map(([path, text]) => `${path}: ${text}`);
  return wrap(`The time limit of a request is ${usual}. Exceptions: ${others.join('; ')}.`);
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
    wrap(`**\`${method} ${route.path}\`** ${summary}`),
    ...(notes.routes[operationId] ?? []).map((text) => wrap(text)),
    ...parametersOf(route),
    ...requestOf(route),
    ...answerOf(route),
    ...exampleOf(route),
  ].join('\n\n');
}

/** `{pid}` is the same everywhere: the text before the routes describes it. */
function parametersOf(route) {
  const { parameters = [] } = operationOf(route);
  const lines = parameters
    .filter(({ in: place }) => place !== 'path')
    .map(({ name, in: place, required, schema, description }) => {
      const facts = [...(place === 'query' ? [] : [place]), typeOf(schema), ...(required ? ['required'] : [])];
      return wrap(`- \`${name}\` (${[...facts, ...defaultOf(schema)].join(', ')}): ${description}`, '  ');
    });
  return lines.length === 0 ? [] : [lines.join('\n')];
}

function operationOf(route) {
  return document.paths[route.path][route.method.toLowerCase()];
}

function requestOf(route) {
  if (route.request === null) return [];
  const { schema } = operationOf(route).requestBody.content['application/json'];
  const isEmpty = Object.keys(schema.properties ?? { some: 1 }).length === 0;
  return [`Body: ${isEmpty ? '`{}`' : typeOf(schema)}.`];
}

/** The answer of the route, and its errors beyond the general rules. */
function answerOf(route) {
  const own = errorCodesOf(route).filter((code) => !generalErrors(route).has(code));
  const errors = own.length === 0 ? '' : ` Errors: ${own.map((code) => `\`${code}\``).join(', ')}.`;
  if (typeof route.doc.answer === 'string') return [wrap(`Returns \`${route.doc.answer}\`.${errors}`)];
  const [success] = Object.values(operationOf(route).responses);
  const { schema } = success.content['application/json'];
  if (schema.$ref !== undefined || schema.anyOf !== undefined)
    return [wrap(`${route.upgrade ? 'Each message is a' : 'Returns'} ${typeOf(schema)}.${errors}`)];
  if (schema.properties === undefined) return [wrap(`Returns a JSON document.${errors}`)];
  const known = inlineAnswers.get(JSON.stringify(schema));
  if (known !== undefined) return [wrap(`Returns one entry of ${known}.${errors}`)];
  for (const [name, field] of Object.entries(schema.properties))
    if (field.items !== undefined)
      inlineAnswers.set(
        JSON.stringify(field.items),
        `\`${name}\` of [${route.doc.operationId}](#${route.doc.operationId.toLowerCase()})`,
      );
  return [
    `Returns:\n\n${fieldList(route.doc.operationId, schema, '').join('\n')}${errors && `\n\n${wrap(errors.trim())}`}`,
  ];
}

/** The general rules of docs/api.md: errors that follow from the kind of a route. */
function generalErrors(route) {
  return new Set([
    ...['forbidden_host', 'forbidden_origin', 'internal'],
    ...(route.auth ? ['missing_key', 'invalid_key', 'disabled_key', 'expired_key'] : []),
    ...(route.auth ? ['host_unreachable'] : []),
    ...(route.auth && !route.upgrade ? ['overloaded', 'request_timeout'] : []),
    ...(route.bucket === null ? [] : ['rate_limited']),
    ...(route.request === null ? [] : ['invalid_content_type', 'body_too_large', 'invalid_request']),
    ...(route.path.endsWith('{pid}') ? ['invalid_request', 'not_found'] : []),
    ...(route.doc.query === undefined ? [] : ['invalid_request']),
  ]);
}

function exampleOf(route) {
  const example = examples[route.doc.operationId];
  if (example === undefined) {
    problems.push(`docs/source/api-examples.json has no example of ${route.doc.operationId}`);
    return [];
  }
  // The shape alone is described by the objects.
  if (example.response === undefined) return [];
  checkExample(route, example.response);
  const text = typeof example.response === 'string' ? example.response : render(example.response, '');
  const language = typeof example.response === 'string' ? 'text' : 'json';
  const shortened = example.shortened === undefined ? [] : [`The response is shortened: ${example.shortened}.`];
  return [`\`\`\`sh\n${example.curl.join('\n')}\n\`\`\``, ...shortened, `\`\`\`${language}\n${text}\n\`\`\``];
}

/** A removed or changed field must not survive in an example. */
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

/** JSON as people write it: values that fit on a line stay on one. */
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

/** Fields with the same meaning in many objects. */
function commonFields() {
  return Object.entries(notes.fields)
    .filter(([place]) => place.startsWith('*.'))
    .map(([place, text]) => wrap(`- \`${place.slice(2)}\`: ${text}`, '  '))
    .join('\n');
}

function objectSection(name) {
  const about = note(`${name}`);
  const base = baseOf(name);
  const fields = fieldList(name, withoutBase(schemas[name], base), '').join('\n');
  const extended = base === null ? [] : [`All fields of ${typeOf({ $ref: base })}, and:`];
  return [`### ${name}`, ...(about === null ? [] : [wrap(about)]), ...extended, fields].join('\n\n');
}

/** An object whose fields are all in this one, which has more. */
function baseOf(name) {
  const fields = schemas[name].properties;
  const has = ([field, schema]) => JSON.stringify(fields[field]) === JSON.stringify(schema);
  const bases = Object.entries(schemas).filter(
    ([other, { properties }]) =>
      other !== name &&
      !other.endsWith('Response') &&
      Object.keys(properties).length > 3 &&
      Object.entries(properties).every(has),
  );
  return bases[0]?.[0] ?? null;
}

function withoutBase(schema, base) {
  if (base === null) return schema;
  const own = Object.entries(schema.properties).filter(([name]) => schemas[base].properties[name] === undefined);
  return { ...schema, properties: Object.fromEntries(own) };
}

/** Neighbouring fields without a note share a line. */
function fieldList(owner, schema, indent) {
  const items = Object.entries(schema.properties).map(([name, field]) => {
    const place = `${owner}.${name}`;
    const isRequired = schema.required?.includes(name) ?? false;
    const own = note(place);
    const isCommon = own === null && note(`*.${name}`) !== null;
    if (own === null && !isCommon) problems.push(`docs/source/api-notes.json has no note on the field ${place}`);
    const inner = inlineObject(field);
    const type = isCommon && field.enum !== undefined ? 'string' : typeOf(field);
    const facts = [...(type === 'string' ? [] : [type]), ...(isRequired ? [] : ['optional']), ...defaultOf(field)];
    const below = inner === null ? [] : fieldList(place, inner, `${indent}  `);
    const text = facts.length === 0 ? `\`${name}\`` : `\`${name}\` (${facts.join(', ')})`;
    return { text, words: own ?? '', below };
  });
  const lines = [];
  let quiet = [];
  const flush = () => {
    if (quiet.length > 0) lines.push(wrap(`${indent}- ${quiet.join(', ')}`, `${indent}  `));
    quiet = [];
  };
  for (const { text, words, below } of items) {
    if (words === '' && below.length === 0) {
      quiet.push(text);
      continue;
    }
    flush();
    lines.push(wrap(`${indent}- ${text}${words === '' ? '' : `: ${words}`}`, `${indent}  `), ...below);
  }
  flush();
  return lines;
}

function note(place) {
  usedNotes.add(place);
  return notes.fields[place] ?? null;
}

/** The unnamed object in a field, or in its list or map. */
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
  if (schema.anyOf !== undefined) return orOf(schema.anyOf.map(typeOf));
  if (schema.enum !== undefined && schema.enum.length > 20) return '[error code](#errors)';
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(', ');
  if (Array.isArray(schema.type)) return orOf(schema.type);
  if (schema.format === 'uuid') return 'uuid';
  if (schema.format === 'date-time') return 'time';
  if (schema.type === 'integer' || schema.type === 'number') return `${schema.type}${range(schema)}`;
  if (schema.type === 'string') return `string${size(schema)}`;
  if (schema.type === 'array') return `array${size(schema)} of ${typeOf(schema.items)}`;
  if (schema.type !== 'object') return schema.type ?? 'any JSON value';
  const { additionalProperties: values } = schema;
  return schema.properties === undefined && values ? `map of ${typeOf(values)}` : 'object';
}

function orOf(types) {
  const text = types.join('|');
  return text === 'string|number|boolean|null' ? 'scalar' : text;
}

function range({ minimum, maximum }) {
  const from = minimum > Number.MIN_SAFE_INTEGER ? minimum : null;
  const to = maximum < Number.MAX_SAFE_INTEGER ? maximum : null;
  if (from !== null && to !== null) return `[${from}..${to}]`;
  return from === null ? '' : `[${from}..]`;
}

function size({ minLength, maxLength, minItems, maxItems }) {
  const [from, to] = [minLength ?? minItems ?? 0, maxLength ?? maxItems];
  if (to !== undefined) return `[${from}..${to}]`;
  return from > 0 ? `[${from}..]` : '';
}

function defaultOf(schema) {
  return schema.default === undefined ? [] : [`default \`${schema.default}\``];
}

function errorList() {
  return Object.entries(ERROR_STATUS)
    .map(([code, status]) => {
      const { cause, remedy } = ERROR_DOCS[code];
      const help = notes.plain_errors.includes(code) ? '' : ` *${remedy}*`;
      return wrap(`- **\`${code}\`** (${status}). ${cause}${help}`, '  ');
    })
    .join('\n');
}

/** A note on a removed field would never be read again. */
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
