/**
 * A log file of JSON lines, each appended in one write. Past its size `name.jsonl` becomes `name.1.jsonl`, that one
 * `name.2.jsonl`, and the oldest is deleted. Each line holds its number `n` and, as `prev`, the hash of the line before
 * it, across files too; `name.head` holds the number and the hash of the last one. So a changed, removed or truncated
 * line shows. Anyone who can write the files can also make a new chain: this detects accidents and careless edits. A
 * line that a killed process or a full disk left half written is a line of the chain like any other.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { FILE_MODE, preparePrivateTarget } from './private-path.ts';
import { isAbsent } from './store-error.ts';

const KEPT_FILES = 4;
const NEWLINE = 0x0a;
const HASH_DIGITS = 32;
/** No line is longer. */
const MAX_LINE_BYTES = 64 * 1024;

const link = z.object({ n: z.int().min(1), prev: z.string() });
const head = z.object({ n: z.int().min(1), hash: z.string() });
type Head = z.infer<typeof head>;

export interface ChainReport {
  /** Lines with a place in the chain. */
  readonly lines: number;
  /** Problems in words, with file and line. Empty if nothing was changed or is missing. */
  readonly problems: readonly string[];
}

export class ChainedLog {
  private readonly dir: string;
  private readonly name: string;
  /** The last line, and the file size after it: another process may have appended since. */
  private last: (Head & { readonly size: number }) | null = null;

  constructor(dir: string, name: string) {
    this.dir = dir;
    this.name = name;
  }

  get file(): string {
    return this.fileOf(0);
  }

  /** Returns the new size of the file. Throws when it cannot be written. */
  append(entry: object): number {
    preparePrivateTarget(this.file);
    const handle = this.open(this.file, constants.O_RDWR | constants.O_APPEND);
    try {
      const { size } = fstatSync(handle);
      const before = this.last?.size === size ? this.last : this.findLast(handle, size);
      const text = JSON.stringify({ ...entry, n: before.n + 1, prev: before.hash });
      const bytes = Buffer.from(`${endsInLine(handle, size) ? '' : '\n'}${text}\n`);
      const written = writeSync(handle, bytes);
      if (written < bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes were written`);
      this.last = { n: before.n + 1, hash: hashOf(text), size: fstatSync(handle).size };
    } finally {
      closeSync(handle);
    }
    this.writeHead(this.last);
    return this.last.size;
  }

  /** Another process may have rotated it already. */
  rotate(maxBytes: number): void {
    if (statSync(this.file).size <= maxBytes) return;
    for (let age = KEPT_FILES - 1; age >= 0; age--)
      if (existsSync(this.fileOf(age))) renameSync(this.fileOf(age), this.fileOf(age + 1));
    if (this.last !== null) this.last = { ...this.last, size: 0 };
  }

  /** The oldest first. Lines that are no JSON are skipped. */
  *values(): Generator<unknown> {
    for (const { text } of this.lines()) {
      const value = parse(text);
      if (value !== undefined) yield value;
    }
  }

  check(): ChainReport {
    const problems: string[] = [];
    let [lines, before, beforeThat] = [0, null as Head | null, ''];
    for (const { text, place } of this.lines()) {
      const hash = hashOf(text);
      const found = link.safeParse(parse(text)).data;
      // Lines of earlier versions have no place in the chain; neither has a truncated one.
      if (found === undefined && lines === 0) {
        [before, beforeThat] = [null, hash];
        continue;
      }
      const n = found?.n ?? (before?.n ?? 0) + 1;
      // Two daemons that append at the same moment both see the same last line.
      const isTwin = found !== undefined && found.n === before?.n && found.prev === beforeThat;
      if (found !== undefined && before !== null && !isTwin) {
        if (n > before.n + 1) problems.push(`${place}: ${n - before.n - 1} lines before it are missing`);
        else if (found.prev !== before.hash) problems.push(`${place}: the line before it was changed or replaced`);
      } else if (found === undefined) problems.push(`${place}: it is no complete line`);
      beforeThat = isTwin ? beforeThat : (before?.hash ?? found?.prev ?? '');
      before = { n, hash };
      lines++;
    }
    const end = this.readHead();
    if (end !== null && end.n > (before?.n ?? 0))
      problems.push(`${end.n - (before?.n ?? 0)} lines at the end are missing`);
    else if (end !== null && end.n === before?.n && end.hash !== before.hash && lines > 0)
      problems.push('the last line was changed or replaced');
    return { lines, problems };
  }

  private *lines(): Generator<{ text: string; place: string }> {
    for (let age = KEPT_FILES; age >= 0; age--) {
      const file = this.fileOf(age);
      let number = 0;
      for (const text of textOf(file).split('\n')) {
        number++;
        if (text !== '') yield { text, place: `${path.basename(file)}:${number}` };
      }
    }
  }

  private findLast(handle: number, size: number): Head {
    const text = size > 0 ? lastLineOf(handle, size) : (textOf(this.fileOf(1)).trimEnd().split('\n').at(-1) ?? '');
    if (text === '') return { n: 0, hash: '' };
    // A truncated line has no number; the head has that of the line before it, or its own.
    const n = link.safeParse(parse(text)).data?.n ?? this.readHead()?.n ?? 0;
    return { n, hash: hashOf(text) };
  }

  private get headFile(): string {
    return path.join(this.dir, `${this.name}.head`);
  }

  private readHead(): Head | null {
    return head.safeParse(parse(textOf(this.headFile))).data ?? null;
  }

  private writeHead({ n, hash }: Head): void {
    preparePrivateTarget(this.headFile);
    const handle = this.open(this.headFile, constants.O_WRONLY | constants.O_TRUNC);
    try {
      writeSync(handle, JSON.stringify({ n, hash }));
    } finally {
      closeSync(handle);
    }
  }

  private open(file: string, flags: number): number {
    return openSync(file, flags | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0), FILE_MODE);
  }

  private fileOf(age: number): string {
    return path.join(this.dir, `${this.name}${age === 0 ? '' : `.${age}`}.jsonl`);
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_DIGITS);
}

function endsInLine(handle: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return size === 0 || (readSync(handle, last, 0, 1, size - 1) === 1 && last[0] === NEWLINE);
}

function lastLineOf(handle: number, size: number): string {
  const tail = Buffer.alloc(Math.min(size, MAX_LINE_BYTES));
  const length = readSync(handle, tail, 0, tail.length, size - tail.length);
  return tail.toString('utf8', 0, length).trimEnd().split('\n').at(-1) ?? '';
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (isAbsent(error)) return '';
    throw error;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A truncated line: the caller counts it as no entry.
    return undefined;
  }
}
