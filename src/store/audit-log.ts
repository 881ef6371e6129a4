/**
 * The log of actions: `audit.jsonl` has the executed ones, `refused.jsonl` the refused ones. They are rotated
 * separately, so that no number of refused requests pushes out executed actions. Running actions are files of
 * `running/`: those of a killed daemon become lines.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { uuidv7 } from 'uuidv7';
import * as z from 'zod';
import { type AuditEntry, auditEntry } from '../model/audit-entry.ts';
import { messageOf } from '../model/failure.ts';
import type { Logger } from '../model/log.ts';
import { ChainedLog, type ChainReport } from './chained-log.ts';
import { withFileLock } from './file-lock.ts';
import { FILE_MODE, preparePrivateTarget } from './private-path.ts';
import { processStart } from './process-identity.ts';
import { RefusalCounter } from './refusal-counter.ts';
import { isAbsent } from './store-error.ts';

const MAX_BYTES = 4 * 1024 * 1024;

const runningAction = z.object({ by: z.object({ pid: z.int(), start: z.string() }), entry: auditEntry });

export class AuditLog {
  private readonly done: ChainedLog;
  private readonly refused: ChainedLog;
  private readonly refusals = new RefusalCounter((entry) => this.append(this.refused, entry));
  private readonly running: string;
  private readonly logger: Logger;
  private readonly maxBytes: number;
  private hasFailed = false;
  private readonly rotating = new Map<ChainedLog, Promise<void>>();

  constructor(options: { dir: string; logger: Logger; maxBytes?: number }) {
    this.done = new ChainedLog(options.dir, 'audit');
    this.refused = new ChainedLog(options.dir, 'refused');
    this.running = path.join(options.dir, 'running');
    this.logger = options.logger;
    this.maxBytes = options.maxBytes ?? MAX_BYTES;
  }

  /** Never throws: an action that ran cannot be undone because the disk is full. */
  note(entry: AuditEntry): void {
    if (entry.outcome === 'refused') this.refusals.note(entry);
    else this.append(this.done, entry);
  }

  /** Never throws. Returns a function that removes the file, to call when the end is logged. */
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

  /** Logs the actions that were running when a daemon was killed. */
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

  /** Sorted by time, the oldest first. */
  entries(): AuditEntry[] {
    const values = [...this.done.values(), ...this.refused.values()];
    const entries = values.flatMap((value) => auditEntry.safeParse(value).data ?? []);
    return entries.sort((one, other) => (one.time < other.time ? -1 : one.time > other.time ? 1 : 0));
  }

  /** Whether a line of executed or refused actions is missing or was changed. */
  check(): ChainReport {
    const [done, refused] = [this.done.check(), this.refused.check()];
    return { lines: done.lines + refused.lines, problems: [...done.problems, ...refused.problems] };
  }

  async flush(): Promise<void> {
    this.refusals.flush();
    await Promise.all(this.rotating.values());
  }

  private append(log: ChainedLog, entry: AuditEntry): void {
    try {
      if (log.append(entry) > this.maxBytes) this.rotateSoon(log);
      this.hasFailed = false;
    } catch (error) {
      this.report(error);
    }
  }

  private rotateSoon(log: ChainedLog): void {
    if (this.rotating.has(log)) return;
    const rotated = withFileLock(log.file, async () => log.rotate(this.maxBytes))
      .catch((error: unknown) => this.report(error))
      .finally(() => this.rotating.delete(log));
    this.rotating.set(log, rotated);
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

  private report(error: unknown): void {
    const { file } = this.done;
    if (!this.hasFailed) this.logger.error({ file, reason: messageOf(error) }, 'actions cannot be logged');
    this.hasFailed = true;
  }
}
