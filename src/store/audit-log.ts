/**
 * The log of actions: `audit.jsonl`, one JSON object a line, appended in one write. Past its size it becomes
 * `audit.1.jsonl`, that one `audit.2.jsonl`, and the oldest goes. A line that a killed or full machine left half written
 * is passed over by readers. Actions under way are files of `running/`: those of a daemon that was killed become lines.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { uuidv7 } from 'uuidv7';
import * as z from 'zod';
import { type AuditEntry, auditEntry } from '../model/audit-entry.ts';
import { messageOf } from '../model/failure.ts';
import type { Logger } from '../model/log.ts';
import { withFileLock } from './file-lock.ts';
import { FILE_MODE, preparePrivateTarget } from './private-path.ts';
import { processStart } from './process-identity.ts';
import { isAbsent } from './store-error.ts';

const MAX_BYTES = 4 * 1024 * 1024;
const KEPT_FILES = 4;
const NEWLINE = 0x0a;

const runningAction = z.object({ by: z.object({ pid: z.int(), start: z.string() }), entry: auditEntry });

export class AuditLog {
  private readonly file: string;
  private readonly running: string;
  private readonly logger: Logger;
  private readonly maxBytes: number;
  private hasFailed = false;
  private rotating: Promise<void> | null = null;

  constructor(options: { dir: string; logger: Logger; maxBytes?: number }) {
    this.file = path.join(options.dir, 'audit.jsonl');
    this.running = path.join(options.dir, 'running');
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

  /** Never throws. Gives how to forget it, when its end is noted. */
  begin(entry: AuditEntry): () => void {
    const file = path.join(this.running, `${uuidv7()}.json`);
    try {
      preparePrivateTarget(file);
      const by = { pid: process.pid, start: processStart(process.pid) ?? '' };
      writeFileSync(file, JSON.stringify({ by, entry }), { flag: 'wx', mode: FILE_MODE });
    } catch (error) {
      this.report(error);
    }
    return () => {
      try {
        rmSync(file, { force: true });
      } catch (error) {
        this.report(error);
      }
    };
  }

  /** Notes the actions that were under way when a daemon was killed. */
  recover(): void {
    for (const file of this.runningFiles()) {
      try {
        const { data } = runningAction.safeParse(JSON.parse(readFileSync(file, 'utf8')));
        if (data !== undefined && processStart(data.by.pid) === data.by.start) continue;
        if (data !== undefined) this.note(data.entry);
        rmSync(file, { force: true });
      } catch (error) {
        if (error instanceof SyntaxError) rmSync(file, { force: true });
        else this.report(error);
      }
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

  private runningFiles(): string[] {
    try {
      return readdirSync(this.running)
        .sort()
        .map((name) => path.join(this.running, name));
    } catch (error) {
      if (!isAbsent(error)) this.report(error);
      return [];
    }
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
      // Half a line: a daemon was killed while it wrote it. The lines before are whole.
      return [];
    }
  });
}
