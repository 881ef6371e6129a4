/**
 * The answers to actions with an idempotency key, a file each, for 24 hours. A file is made before the action is
 * dispatched, and names the daemon; the answer replaces it. So a daemon that is killed in between leaves the trace that
 * the action may have run, and nobody runs it again.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { RefusedError } from '../model/errors.ts';
import { codeOf, messageOf } from '../model/failure.ts';
import type { Logger } from '../model/log.ts';
import type { Claim, RetryRecords, StoredAnswer } from '../model/retries.ts';
import { FILE_MODE, preparePrivateTarget } from './private-path.ts';
import { processStart } from './process-identity.ts';
import { isAbsent } from './store-error.ts';

const KEPT_MS = 24 * 3_600_000;
const SWEEP_MS = 3_600_000;
const MAX_RECORDS = 20_000;
/** The limit per API key, so that none takes the room, or the disk, of the others. */
const MAX_RECORDS_PER_OWNER = 5000;
const MAX_BYTES_PER_OWNER = 64 * 1024 * 1024;
/** The length of the hash of the API key's id, at the beginning of a file's name. */
const OWNER_CHARS = 16;
/** Longer than a write takes: an incomplete record of this age was left by a killed daemon. */
const WRITING_MS = 2000;

const record = z.object({
  /** The hash of the request. */
  body: z.string(),
  at: z.number(),
  by: z.object({ pid: z.int(), start: z.string() }),
  answer: z.object({ status: z.int(), text: z.string() }).nullable(),
});
type Record = z.infer<typeof record>;

export class RetryStore implements RetryRecords {
  private readonly dir: string;
  private readonly logger: Logger;
  private readonly now: () => number;
  private readonly ticks: () => number;
  /**
   * Files that this process made, with their times in ticks: a clock that is set forward must not let an action run
   * again.
   */
  private readonly made = new Map<string, number>();
  /** The files of requests that this process is executing. */
  private readonly active = new Set<string>();
  /** The size of each kept file in bytes. */
  private readonly sizes = new Map<string, number>();
  private readonly shares = new Map<string, { files: number; bytes: number }>();
  private sweptAt = Number.NEGATIVE_INFINITY;

  /**
   * A request's name begins with the id of its API key and a line break: its file counts for that key. `now`: the clock
   * of the system, which may be set. `ticks`: in ms, from any origin, never set.
   */
  constructor(options: { dir: string; logger: Logger; now?: () => number; ticks?: () => number }) {
    this.dir = path.join(options.dir, 'retries');
    this.logger = options.logger;
    this.now = options.now ?? Date.now;
    this.ticks = options.ticks ?? (() => performance.now());
  }

  claim(name: string, request: string): Claim {
    this.sweep();
    const file = this.fileOf(name);
    const body = hashOf(request);
    const by = { pid: process.pid, start: processStart(process.pid) ?? '' };
    // Two attempts: an expired record is removed in between.
    for (let attempt = 0; attempt < 2; attempt++) {
      if (!this.sizes.has(file)) this.requireRoom(file);
      if (this.create(file, { body, at: this.now(), by, answer: null })) {
        this.active.add(name);
        return { kind: 'new' };
      }
      const known = this.read(file);
      if (known === 'written now') return { kind: 'running' };
      if (known !== null && !this.isOld(file, known.at)) return this.claimOf(known, body, name);
      this.remove(file);
    }
    return { kind: 'running' };
  }

  finish(name: string, answer: StoredAnswer): void {
    this.active.delete(name);
    const file = this.fileOf(name);
    const known = this.read(file);
    if (known === null || known === 'written now') return;
    try {
      const draft = `${file}.new`;
      const bytes = this.write(draft, { ...known, answer }, 'w');
      renameSync(draft, file);
      this.note(file, bytes);
      syncFolder(this.dir);
    } catch (error) {
      // The claim stays: the action is not run again, but its result is not known any more.
      this.logger.error({ reason: messageOf(error) }, 'the answer to an action cannot be kept for its idempotency key');
    }
  }

  release(name: string): void {
    this.active.delete(name);
    this.remove(this.fileOf(name));
  }

  private claimOf({ body, by, answer }: Record, wanted: string, name: string): Claim {
    if (body !== wanted) return { kind: 'other request' };
    if (answer !== null) return { kind: 'done', answer };
    const isAlive = processStart(by.pid) === by.start;
    const isRunning = isAlive && (by.pid !== process.pid || this.active.has(name));
    return { kind: isRunning ? 'running' : 'lost' };
  }

  /** The client's own text is not used: it could be any path. */
  private fileOf(name: string): string {
    return path.join(this.dir, `${hashOf(name.split('\n', 1)[0] ?? '').slice(0, OWNER_CHARS)}-${hashOf(name)}.json`);
  }

  private create(file: string, content: Record): boolean {
    preparePrivateTarget(file);
    let bytes: number;
    try {
      bytes = this.write(file, content, 'wx');
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      rmSync(file, { force: true });
      const message = `The Idempotency-Key cannot be recorded, so nothing was run: ${messageOf(error)}`;
      throw new RefusedError('overloaded', message);
    }
    this.made.set(file, this.ticks());
    this.note(file, bytes);
    syncFolder(this.dir);
    return true;
  }

  /** Returns the number of bytes. */
  private write(file: string, content: Record, flags: 'w' | 'wx'): number {
    const handle = openSync(file, flags, FILE_MODE);
    try {
      const bytes = Buffer.from(JSON.stringify(content));
      // On a full disk fewer bytes are written, without an error.
      if (writeSync(handle, bytes) < bytes.length) throw new Error('the disk is full');
      fsyncSync(handle);
      return bytes.length;
    } finally {
      closeSync(handle);
    }
  }

  private requireRoom(file: string): void {
    const { files, bytes } = this.shareOf(file);
    let problem: string | null = null;
    if (this.sizes.size >= MAX_RECORDS) problem = `${MAX_RECORDS} idempotency keys are kept already`;
    else if (files >= MAX_RECORDS_PER_OWNER) problem = `${files} idempotency keys of this API key are kept already`;
    else if (bytes >= MAX_BYTES_PER_OWNER)
      problem = `the answers that are kept for this API key have ${Math.floor(bytes / 1024 / 1024)} MiB already`;
    if (problem === null) return;
    const message = `The Idempotency-Key cannot be kept, so nothing was run: ${problem}. Each is kept for 24 hours.`;
    throw new RefusedError('overloaded', message, { retryAfterMs: 60_000 });
  }

  private shareOf(file: string): { files: number; bytes: number } {
    const owner = path.basename(file).slice(0, OWNER_CHARS);
    const share = this.shares.get(owner) ?? { files: 0, bytes: 0 };
    this.shares.set(owner, share);
    return share;
  }

  private note(file: string, bytes: number): void {
    const before = this.sizes.get(file);
    const share = this.shareOf(file);
    if (before === undefined) share.files++;
    share.bytes += bytes - (before ?? 0);
    this.sizes.set(file, bytes);
  }

  private remove(file: string): void {
    rmSync(file, { force: true });
    const bytes = this.sizes.get(file);
    if (bytes === undefined) return;
    this.sizes.delete(file);
    const share = this.shareOf(file);
    share.files--;
    share.bytes -= bytes;
  }

  /** Null if there is none, or it is incomplete and so was never dispatched. */
  private read(file: string): Record | 'written now' | null {
    try {
      const { data } = record.safeParse(JSON.parse(readFileSync(file, 'utf8')));
      if (data !== undefined) return data;
    } catch (error) {
      if (isAbsent(error)) return null;
      if (!(error instanceof SyntaxError)) throw error;
    }
    const modified = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return Math.abs(this.now() - modified) < WRITING_MS ? 'written now' : null;
  }

  /** Removes expired files, and counts the rest. */
  private sweep(): void {
    if (this.ticks() - this.sweptAt < SWEEP_MS) return;
    this.sweptAt = this.ticks();
    mkdirSync(this.dir, { recursive: true, mode: 0o700 });
    this.sizes.clear();
    this.shares.clear();
    for (const name of readdirSync(this.dir)) {
      const file = path.join(this.dir, name);
      const found = statSync(file, { throwIfNoEntry: false });
      if (found === undefined) continue;
      if (this.isOld(file, found.mtimeMs)) rmSync(file, { force: true });
      else this.note(file, found.size);
    }
    for (const [file, at] of this.made) if (this.ticks() - at >= KEPT_MS) this.made.delete(file);
  }

  private isOld(file: string, at: number): boolean {
    const madeAt = this.made.get(file) ?? Number.NEGATIVE_INFINITY;
    return at <= this.now() - KEPT_MS && this.ticks() - madeAt >= KEPT_MS;
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
