/** A shared schema as text: one entry per line, so that people and their tools can compare two of them. */
import { type SchemaDocument, schemaDocument } from '../model/schema-document.ts';
import { UsageError } from './failures.ts';
import { harmlessJson, printable } from './terminal.ts';

/** Far more than the daemon would ever write. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;
const MAX_PROBLEMS = 5;
/** Well below the limit of the daemon for one request. */
const PART_BYTES = 256 * 1024;

export function formatDocument({ labels, actions, ...head }: SchemaDocument): string {
  const fields = Object.entries(head).map(([name, value]) => `  ${JSON.stringify(name)}: ${harmlessJson(value)}`);
  return `{\n${[...fields, list('labels', labels), list('actions', actions)].join(',\n')}\n}\n`;
}

function list(name: string, entries: readonly object[]): string {
  if (entries.length === 0) return `  "${name}": []`;
  return `  "${name}": [\n${entries.map((entry) => `    ${harmlessJson(entry)}`).join(',\n')}\n  ]`;
}

/** `name` is the file's name in messages, which never quote its content: it may be anything. */
export function parseDocument(text: string, name: string): SchemaDocument {
  let content: unknown;
  try {
    content = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // The parser's message would quote the file, which may be anything.
    throw new UsageError(`${name} is no JSON.`);
  }
  const parsed = schemaDocument.safeParse(content);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues
    .slice(0, MAX_PROBLEMS)
    .map(({ path, message }) => `${path.length === 0 ? 'the file' : path.join('.')}: ${message}`);
  throw new UsageError(`${name} is no schema of substrate: ${printable(problems.join('; '))}`);
}

/** The daemon limits bodies, so a large document is sent in parts. */
export function partsOf(document: SchemaDocument): SchemaDocument[] {
  const parts: SchemaDocument[] = [];
  let part: SchemaDocument = { ...document, labels: [], actions: [] };
  let bytes = 0;
  const makeRoomFor = (entry: object) => {
    const size = Buffer.byteLength(JSON.stringify(entry));
    if (bytes > 0 && bytes + size > PART_BYTES) {
      parts.push(part);
      part = { ...document, labels: [], actions: [] };
      bytes = 0;
    }
    bytes += size;
  };
  for (const label of document.labels) {
    makeRoomFor(label);
    part.labels.push(label);
  }
  for (const action of document.actions) {
    makeRoomFor(action);
    part.actions.push(action);
  }
  return [...parts, part];
}
