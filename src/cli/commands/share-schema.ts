/** `substrate schema export|import`: the knowledge of a team about an app, as a file. */

import { closeSync, openSync, readSync, writeFileSync } from 'node:fs';
import type { ImportResponse } from '../../client/node.ts';
import { codeOf, messageOf } from '../../model/failure.ts';
import { nearestNames } from '../../model/nearest.ts';
import type { SchemaDocument } from '../../model/schema-document.ts';
import { isAbsent } from '../../store/store-error.ts';
import { EXIT, NotFoundError, UsageError } from '../failures.ts';
import { findApp } from '../find-app.ts';
import { type KnownSchemas, openSchemas } from '../known-schemas.ts';
import { formatDocument, MAX_FILE_BYTES, parseDocument } from '../schema-file.ts';
import { table } from '../table.ts';
import { type Colour, printable, type Terminal } from '../terminal.ts';
import { counted } from '../values.ts';
import type { CommandContext } from './command.ts';

const APP_ID = /^[a-z0-9-]{1,200}$/;

export async function exportKnown(
  context: CommandContext,
  options: { readonly app: string; readonly out: string | undefined; readonly all: boolean },
): Promise<void> {
  const { terminal, json } = context;
  const schemas = await openSchemas(context.substrate, context.schemasDir);
  const appId = await appIdOf(context, schemas, options.app);
  const document = await schemas.export(appId, options.all);
  if (document === null) throw await unknown(options.app, schemas);
  const counts = { labels: document.labels.length, actions: document.actions.length };
  const summary = `${document.app_id}: ${counted(counts.labels, options.all ? 'label' : 'confirmed label')}, ${counted(counts.actions, 'corrected action')}`;
  if (options.out === undefined) {
    terminal.stdout.write(formatDocument(document));
    terminal.note(terminal.paint('dim', summary));
  } else {
    writeGiven(options.out, formatDocument(document));
    terminal.out(
      json ? JSON.stringify({ file: options.out, app_id: appId, ...counts }) : `${summary} → ${options.out}`,
    );
  }
  if (counts.labels + counts.actions === 0 && !options.all)
    terminal.note('Nobody has corrected anything of this app yet (substrate learn); --all exports what was inferred.');
  if (options.all)
    terminal.note('Names of entries that the app keeps in dictionaries are among the paths: look before you share it.');
}

export interface ImportCommand {
  readonly file: string;
  readonly as: string | undefined;
  readonly force: boolean;
  readonly dryRun: boolean;
}

/** Returns the exit code. */
export async function importKnown(context: CommandContext, options: ImportCommand): Promise<number> {
  const { terminal, json } = context;
  const given = parseDocument(readBounded(options.file), options.file === '-' ? 'What was read' : options.file);
  const schemas = await openSchemas(context.substrate, context.schemasDir);
  const app_id = options.as === undefined ? given.app_id : await appIdOf(context, schemas, options.as);
  const document: SchemaDocument = { ...given, app_id };
  const { force, dryRun } = options;
  const result = await schemas.import(document, { force, dryRun, create: options.as !== undefined });
  if (result === null) throw await foreign(given, schemas);
  if (json) terminal.json({ ...result, dry_run: dryRun });
  else report(terminal, result, dryRun);
  const { conflict, rejected } = result.counts;
  if (!json && conflict > 0) terminal.note('What was confirmed here was kept; --force takes what the file says.');
  return conflict + rejected === 0 ? EXIT.ok : EXIT.refused;
}

/** A running app by any of its names; otherwise an exact app_id, or the beginning of a known one. */
async function appIdOf(context: CommandContext, schemas: KnownSchemas, wanted: string): Promise<string> {
  const ids = await schemas.ids();
  if (ids.includes(wanted)) return wanted;
  try {
    return (await findApp(context.substrate, wanted)).app_id;
  } catch (error) {
    if (error instanceof UsageError) throw error;
  }
  const found = ids.filter((id) => id.startsWith(wanted.toLowerCase()));
  if (found.length > 1) throw new UsageError(`"${wanted}" may be any of ${found.join(', ')}. Name one of them.`);
  const [only] = found;
  if (only !== undefined) return only;
  if (HASH.test(wanted) && APP_ID.test(wanted)) return wanted;
  throw await unknown(wanted, schemas);
}

async function unknown(wanted: string, schemas: KnownSchemas): Promise<Error> {
  const ids = await schemas.ids();
  const names = new Set(nearestNames(wanted, ids.map(nameIn)));
  const near = ids.filter((id) => names.has(nameIn(id)));
  const meant = near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`;
  return new NotFoundError(`Nothing is known of an app "${printable(wanted)}".${meant}`);
}

async function foreign({ app_id, app_name }: SchemaDocument, schemas: KnownSchemas): Promise<Error> {
  const alike = (await schemas.ids()).filter((id) => nameIn(id) === nameIn(app_id));
  const choice = alike[0] ?? app_id;
  return new NotFoundError(
    `The file is about ${printable(app_name)} (${app_id}), and no such app is known here. To import it all the same: --as ${choice}`,
  );
}

/** Files of earlier versions have 8 digits. */
const HASH = /-(?:[0-9a-f]{8}){1,2}$/;

/** `shop-1a2b3c4d5e6f7081` is the app `shop`. */
function nameIn(appId: string): string {
  return appId.replace(HASH, '');
}

const COLOURS: Record<string, Colour> = { added: 'green', changed: 'yellow', conflict: 'red', rejected: 'red' };

function report(
  terminal: Terminal,
  { app_id, counts, entries, schema_version }: ImportResponse,
  dryRun: boolean,
): void {
  const rows = entries.map(({ outcome, path, name, detail }) => [
    { text: outcome, show: (text: string) => terminal.paint(COLOURS[outcome] ?? 'dim', text) },
    path,
    name,
    detail,
  ]);
  if (rows.length > 0)
    for (const line of table(['OUTCOME', 'PATH', 'NAME', 'DETAIL'], rows, terminal.paint, terminal.width))
      terminal.out(line);
  const parts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count} ${outcome}`);
  const what = parts.length === 0 ? 'nothing in it' : parts.join(', ');
  terminal.note(
    dryRun ? `${app_id}: ${what}. Nothing was changed (--dry-run).` : `${app_id}: ${what}; schema ${schema_version}.`,
  );
}

/** At most the size of a schema: a file may be an endless device. */
function readBounded(file: string): string {
  const handle = file === '-' ? 0 : openGiven(file);
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    for (;;) {
      const chunk = Buffer.alloc(64 * 1024);
      const count = readSome(handle, chunk, file);
      if (count === 0) return Buffer.concat(chunks).toString('utf8');
      size += count;
      if (size > MAX_FILE_BYTES)
        throw new UsageError(`${file} is larger than ${MAX_FILE_BYTES >> 20} MiB: that is no schema.`);
      chunks.push(chunk.subarray(0, count));
    }
  } finally {
    if (handle !== 0) closeSync(handle);
  }
}

function openGiven(file: string): number {
  try {
    return openSync(file, 'r');
  } catch (error) {
    if (isAbsent(error)) throw new NotFoundError(`There is no file ${file}.`, null);
    throw unusable(file, 'read', error);
  }
}

function writeGiven(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw unusable(file, 'written', error);
  }
}

function unusable(file: string, use: string, error: unknown): UsageError {
  return new UsageError(`${file} cannot be ${use}: ${messageOf(error)}`);
}

function readSome(handle: number, chunk: Buffer, file: string): number {
  for (;;) {
    try {
      return readSync(handle, chunk);
    } catch (error) {
      const code = codeOf(error);
      if (code === 'EOF') return 0;
      // A pipe without data yet, which Node opened without blocking.
      if (code !== 'EAGAIN') throw unusable(file, 'read', error);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}
