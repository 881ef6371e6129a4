// The types of the client for the package, which has no schemas: src/client/types.ts, with the types of src/model
// written out. Comments come from docs/source/api-notes.json.
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { ROOT } from './install.mjs';
import { loadSources } from './load-source.mjs';

const TAKEN = /^export type \{([^}]+)\} from '\.\.\/(model\/[\w-]+\.ts)';\n/gm;
const IMPORTS = /^import type \{[^}]+\} from '[^']+';\n/gm;
/** Types that have another name in the notes. */
const NOTED_AS = {
  WatchMessage: 'StateChangeNotification',
  Attachment: 'listAttachments.apps',
  Approval: 'listApprovals.approvals',
  Correction: 'LearnRequest.corrections',
};
const read = (file) => fs.readFileSync(path.join(ROOT, file), 'utf8');

export async function clientTypes() {
  const source = read('src/client/types.ts');
  const taken = [...source.matchAll(TAKEN)].flatMap(([, names, file]) =>
    names.split(',').flatMap((text) => {
      const [name, as = name] = text.trim().split(' as ');
      return name === '' ? [] : [{ as, ...schemaOf(name, read(`src/${file}`)) }];
    }),
  );
  const files = new Set([...source.matchAll(TAKEN)].map(([, , file]) => `src/${file}`));
  const schemas = await loadSources(...files);
  const notes = JSON.parse(read('docs/source/api-notes.json')).fields;
  const written = taken.map(({ as, schema, io }) => {
    const registry = z.registry();
    for (const other of taken) if (other.io === 'output') registry.add(schemas[other.schema], { id: other.as });
    const { $schema, $defs, ...shape } = z.toJSONSchema(schemas[schema], { io, metadata: registry });
    return `export interface ${as} ${typeOf(shape.$ref ? $defs[as] : shape, { notes, place: NOTED_AS[as] ?? as })}\n`;
  });
  return `${source.replace(TAKEN, '').replace(IMPORTS, '').trim()}\n\n${written.join('\n')}`;
}

/** The name of the schema that a type is inferred from. */
function schemaOf(name, file) {
  const [, io, schema] = new RegExp(`export type ${name} = z\\.(infer|input)<typeof (\\w+)>`).exec(file) ?? [];
  if (schema === undefined) throw new Error(`${name} is not inferred from a schema`);
  return { schema, io: io === 'input' ? 'input' : 'output' };
}

function typeOf(shape, context) {
  if (shape.$ref) return shape.$ref.replace(/.*\//, '');
  if (shape.anyOf) return shape.anyOf.map((one) => typeOf(one, context)).join(' | ');
  if ('const' in shape) return JSON.stringify(shape.const);
  if (shape.enum) return shape.enum.map((one) => JSON.stringify(one)).join(' | ');
  if (Array.isArray(shape.type)) return shape.type.map((type) => typeOf({ ...shape, type }, context)).join(' | ');
  switch (shape.type) {
    case 'integer':
      return 'number';
    case 'array':
      return `(${typeOf(shape.items, context)})[]`;
    case 'object':
      return objectType(shape, context);
    default:
      return shape.type ?? 'unknown';
  }
}

function objectType({ properties, required = [], additionalProperties }, { notes, place }) {
  const rest = additionalProperties ? typeOf(additionalProperties, { notes, place }) : null;
  if (properties === undefined) return `Record<string, ${rest ?? 'unknown'}>`;
  const fields = Object.entries(properties).map(([name, shape]) => {
    const comment = commentOf(notes[`${place}.${name}`] ?? notes[`*.${name}`] ?? '');
    const type = typeOf(shape, { notes, place: `${place}.${name}` });
    return `${comment}${name}${required.includes(name) ? `: ${type}` : `?: ${type} | undefined`};`;
  });
  const others = rest === null ? [] : [`[beside: string]: ${rest};`];
  return `{\n${[...fields, ...others].join('\n').replace(/^/gm, '  ')}\n}`;
}

/** Links lead into the docs, where the reader of a type is not. */
function commentOf(note) {
  if (note === '' || note.startsWith('see [')) return '';
  const text = note.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll('*/', '*\\/');
  return `/** ${text[0].toUpperCase()}${text.slice(1)} */\n`;
}
