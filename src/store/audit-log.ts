/**
 * The log of actions: `audit.jsonl`, one JSON object a line, appended in one write. Past its size it becomes
 * `audit.1.jsonl`, that one `audit.2.jsonl`, and the oldest goes. A line that a killed or full machine left half written
 * is passed over by readers.
 */
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
import { type AuditEntry, auditEntry } from '../model/audit-entry.ts';
import { messageOf } from '../model/failure.ts';
import type { Logger } from '../model/log.ts';
import { withFileLock } from './file-lock.ts';
import { FILE_MODE, preparePrivateTarget } from './private-path.ts';
import { isAbsent } from './store-error.ts';

const MAX_BYTES = 4 * 1024 * 1024;
const KEPT_FILES = 4;
const NEWLINE = 0x0a;

export class AuditLog {
  private readonly file: string;
  private readonly logger: Logger;
  private readonly maxBytes: number;
  private hasFailed = false;
  private rotating: Promise<void> | null = null;

  constructor(options: { dir: string; logger: Logger; maxBytes?: number }) {
    this.file = path.join(options.dir, 'audit.jsonl');
    this.logger = options.logger;
    this.maxBytes = options.maxBytes ?? MAX_BYTES;
  }

  /** Never throws: an action that ran cannot be taken back because the disk is full. */
  note(entry: AuditEntry): void {
    try {
      if (this.append(`${JSON.stringify(entry)}\n`) > this.maxBytes) this.rotateSoon();
      this.hasFailed = false;
    } catch (error) {
      this.report(error);
    }
  }

  /** The oldest first. */
  *entries(): Generator<AuditEntry> {
    for (let age = KEPT_FILES; age >= 0; age--) {
      for (const line of linesOf(this.nameOf(age))) {
        const entry = auditEntry.safeParse(line);
        if (entry.success) yield entry.data;
      }
    }
  }

  async flush(): Promise<void> {
    await this.rotating;
  }

  /** Gives the size of the file then. */
  private append(line: string): number {
    preparePrivateTarget(this.file);
    const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
    const handle = openSync(this.file, O_RDWR | O_APPEND | O_CREAT | (O_NOFOLLOW ?? 0), FILE_MODE);
    try {
      const bytes = Buffer.from(endsInLine(handle, fstatSync(handle).size) ? line : `\n${line}`);
      const written = writeSync(handle, bytes);
      if (written < bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes were written`);
      return fstatSync(handle).size;
    } finally {
      closeSync(handle);
    }
  }

  private rotateSoon(): void {
    this.rotating ??= withFileLock(this.file, async () => this.rotate())
      .catch((error: unknown) => this.report(error))
      .finally(() => {
        this.rotating = null;
      });
  }

  /** Another daemon may have done it. */
  private rotate(): void {
    if (statSync(this.file).size <= this.maxBytes) return;
    for (let age = KEPT_FILES - 1; age >= 0; age--)
      if (existsSync(this.nameOf(age))) renameSync(this.nameOf(age), this.nameOf(age + 1));
  }

  private nameOf(age: number): string {
    return age === 0 ? this.file : this.file.replace(/\.jsonl$/, `.${age}.jsonl`);
  }

  private report(error: unknown): void {
    if (!this.hasFailed) this.logger.error({ file: this.file, reason: messageOf(error) }, 'actions cannot be logged');
    this.hasFailed = true;
  }
}

function endsInLine(handle: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return size === 0 || (readSync(handle, last, 0, 1, size - 1) === 1 && last[0] === NEWLINE);
}

function linesOf(file: string): unknown[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}
