/**
 * The keys file as data. People edit it too: changes are made in the parsed JSON itself, so that fields and entries
 * which this version does not understand stay as they are.
 */
import { type KeyRecord, keyRecord } from '../model/key-record.ts';
import { isRecord } from '../model/record.ts';
import { StoreError, UnknownKeyError } from './store-error.ts';

interface KeysDocument {
  keys: readonly unknown[];
}

interface MalformedEntry {
  index: number;
  id: string | null;
  /** Names the fields, never their values. */
  problem: string;
}

export interface ParsedKeys {
  records: KeyRecord[];
  malformed: MalformedEntry[];
}

/** One malformed entry must not lock out the holders of the others. A missing file means no keys. */
export function parseKeys(document: unknown): ParsedKeys {
  const parsed: ParsedKeys = { records: [], malformed: [] };
  if (document === undefined) return parsed;
  for (const [index, entry] of asDocument(document).keys.entries()) {
    const result = keyRecord.safeParse(entry);
    if (result.success) {
      parsed.records.push(result.data);
    } else {
      const problem = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
      parsed.malformed.push({ index, id: idOf(entry), problem });
    }
  }
  return parsed;
}

export function withRecord(document: unknown, record: KeyRecord): KeysDocument {
  if (document === undefined) return { keys: [record] };
  const current = asDocument(document);
  return { ...current, keys: [...current.keys, record] };
}

/** `change` returns null to drop the entry. */
export function withChangedRecord(
  document: unknown,
  id: string,
  change: (entry: object) => object | null,
): KeysDocument {
  const current = asDocument(document);
  const keys = current.keys.flatMap((entry) => {
    if (idOf(entry) !== id || !isRecord(entry)) return [entry];
    const changed = change(entry);
    return changed === null ? [] : [changed];
  });
  return { ...current, keys };
}

/** Undefined when the document has none of these records, or is malformed. */
export function withLastUse(document: unknown, lastUse: ReadonlyMap<string, string>): KeysDocument | undefined {
  if (!isDocument(document)) return undefined;
  let touched = false;
  const keys = document.keys.map((entry) => {
    const time = lastUse.get(idOf(entry) ?? '');
    if (time === undefined || !isRecord(entry)) return entry;
    // Another daemon may share the file: the later use counts.
    if ('last_used_at' in entry && typeof entry.last_used_at === 'string' && entry.last_used_at >= time) return entry;
    touched = true;
    return { ...entry, last_used_at: time };
  });
  return touched ? { ...document, keys } : undefined;
}

/** Resolves an id, or a unique prefix of one. */
export function resolveId(document: unknown, wanted: string): string {
  const entries = document === undefined ? [] : asDocument(document).keys;
  const ids = [...new Set(entries.map(idOf).filter((id) => id !== null))];
  if (ids.includes(wanted)) return wanted;
  const matches = wanted === '' ? [] : ids.filter((id) => id.startsWith(wanted));
  const [only] = matches;
  if (only === undefined) {
    throw new UnknownKeyError(`no key has the id ${JSON.stringify(wanted)}; see: substrate keys list`);
  }
  if (matches.length > 1) {
    const shown = matches.slice(0, 5).join(', ');
    throw new StoreError(
      `${matches.length} key ids begin with ${JSON.stringify(wanted)}: ${shown}; give more of the id`,
    );
  }
  return only;
}

function asDocument(document: unknown): KeysDocument {
  if (isDocument(document)) return document;
  throw new StoreError('expected a JSON object with the list "keys"');
}

function isDocument(document: unknown): document is KeysDocument {
  return isRecord(document) && 'keys' in document && Array.isArray(document.keys);
}

function idOf(entry: unknown): string | null {
  return isRecord(entry) && 'id' in entry && typeof entry.id === 'string' ? entry.id : null;
}
