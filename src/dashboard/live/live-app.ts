/**
 * The selected app as it is now. A notification says that something changed; the daemon is then asked what differs since
 * the last answer, so the cost follows the change. A whole state is read at first, after a lost connection, and where the
 * daemon has forgotten the capture that was known.
 */
import {
  type AppSummary,
  type DiffResponse,
  type Scalar,
  type Substrate,
  SubstrateError,
  type SubstrateState,
  type WatchMessage,
} from '../../client/index.ts';
import { messageOf } from '../ui/message-of.ts';
import type { AppModel, CaptureNote } from './app-model.ts';
import { Listeners } from './listeners.ts';
import { inSlices } from './slices.ts';
import { type Differences, differencesFrom } from './state-diff.ts';

const MAX_CAPTURES = 300;
const MAX_CHANGES = 10_000;
const MAX_NOTED_KEYS = 10;
/** After so many lists of apps without a word from the watch it is read without one. */
const PATIENCE = 3;
const HEARD = Number.POSITIVE_INFINITY;

/** The last change of a key. Undefined: it was not there. */
export interface KeyChange {
  readonly before: Scalar | undefined;
  readonly after: Scalar | undefined;
  readonly atMs: number;
}

export class LiveApp implements AppModel {
  readonly substrate: Substrate;
  readonly pid: number;
  readonly values = new Map<string, Scalar>();
  readonly captures: CaptureNote[] = [];
  summary: AppSummary | null = null;
  state: Omit<SubstrateState, 'objects'> | null = null;
  problem: string | null = null;
  /** Why it is not attached to by itself; null: it is, or has ended. */
  notAttached: string | null = null;
  /** By key, newest last. */
  readonly changes = new Map<string, KeyChange>();
  private readonly listeners = new Listeners<readonly string[] | null>();
  private readonly stopping = new AbortController();
  private isFollowing = false;
  private isReading = false;
  /** Lists of apps since the watch said something, for as long as it has not. */
  private silence = 0;
  private askedStatus: string | null = null;
  private askedActionCount = -1;

  constructor(substrate: Substrate, pid: number) {
    this.substrate = substrate;
    this.pid = pid;
  }

  /** How much there is: what the list says until the state is there. Null: nothing can be read. */
  get counts(): { readonly keys: number; readonly actions: number } | null {
    if (this.state) return { keys: this.values.size, actions: Object.keys(this.state.actions).length };
    return this.summary?.has_state ? { keys: this.summary.object_count, actions: this.summary.action_count } : null;
  }

  subscribe(listener: (changedKeys: readonly string[] | null) => void): () => void {
    return this.listeners.add(listener);
  }

  stop(): void {
    this.stopping.abort();
  }

  /** What the list of apps says about it, about once a second. Null: the daemon does not know it. */
  noteSummary(summary: AppSummary | null): void {
    this.summary = summary;
    if (summary === null) this.problem = this.endedText();
    else if (summary.has_state) {
      this.notAttached = null;
      if (!this.isFollowing) void this.follow();
      else if (this.silence < PATIENCE) this.silence++;
      else if (this.silence !== HEARD) void this.readPlainly();
      this.takeSummary(summary);
    } else if (isLeftAlone(summary)) void this.askAttachment(summary.probe_status);
    else if (summary.probe_status !== this.askedStatus) void this.askWhy(summary.probe_status);
    this.listeners.tell([]);
  }

  /** For an app that is not attached to by itself. */
  async attach(): Promise<void> {
    this.notAttached = null;
    this.problem = null;
    this.listeners.tell([]);
    try {
      await this.substrate.attach(this.pid, { signal: this.stopping.signal });
    } catch (error) {
      if (!this.stopping.signal.aborted) this.problem = messageOf(error);
    }
    this.listeners.tell([]);
  }

  /** The daemon did not answer: the watch will take a while to be there again. */
  noteLost(): void {
    this.silence = 0;
  }

  async refresh(): Promise<void> {
    // Somebody waits for it: a refusal is told at once.
    await this.substrate.look(this.pid, { signal: this.stopping.signal, retries: 0 });
    await this.readUntold();
    await this.readActions(this.summary?.action_count ?? -1);
  }

  private async follow(): Promise<void> {
    this.isFollowing = true;
    this.askedStatus = null;
    this.silence = 0;
    try {
      for await (const event of this.substrate.watch(this.pid, { signal: this.stopping.signal })) {
        this.silence = HEARD;
        if (event.kind === 'state') await this.take(event.state);
        else await this.catchUp(event);
      }
      this.problem = this.endedText();
    } catch (error) {
      this.problem = isGone(error) ? this.endedText() : messageOf(error);
    } finally {
      this.isFollowing = false;
    }
    if (!this.stopping.signal.aborted) this.listeners.tell([]);
  }

  /** Where no watch comes about, as behind something that lets no sockets through. */
  private async readPlainly(): Promise<void> {
    if (this.isReading) return;
    this.isReading = true;
    try {
      await this.readUntold();
    } catch {
      // The list of apps tells whether the daemon answers, and the watch what it says.
    } finally {
      this.isReading = false;
    }
  }

  /** What the watch has not told, or not yet. */
  private async readUntold(): Promise<void> {
    const keys = await this.readDifferences(new Date().toISOString());
    if (this.state && keys.length > 0) this.noteCapture(this.state.capture_id, this.state.captured_at, keys);
  }

  private async catchUp(message: WatchMessage): Promise<void> {
    this.noteCapture(message.capture_id, message.timestamp, message.changed_keys);
    const known = this.state?.capture_id;
    // An answer to an earlier one had this in it already: identifiers grow with time.
    if (known === undefined || message.capture_id > known) await this.readDifferences(message.timestamp);
  }

  /** The keys that differ. */
  private async readDifferences(capturedAt: string): Promise<readonly string[]> {
    const known = this.state?.capture_id;
    const diff = known === undefined ? null : await this.diffSince(known);
    if (diff === null) return await this.take(await this.substrate.state(this.pid, { signal: this.stopping.signal }));
    // Something else may have brought a newer one in the meantime.
    if (this.state === null || this.state.capture_id !== known || diff.capture_id === known) return [];
    this.state = { ...this.state, capture_id: diff.capture_id, captured_at: capturedAt };
    this.problem = null;
    const keys = this.apply(diff, Date.now());
    this.listeners.tell(keys);
    return keys;
  }

  /** Null: the daemon does not have that capture any more. */
  private async diffSince(captureId: string): Promise<DiffResponse | null> {
    try {
      return await this.substrate.diff(this.pid, captureId, { signal: this.stopping.signal });
    } catch (error) {
      if (error instanceof SubstrateError && error.code === 'capture_not_found') return null;
      throw error;
    }
  }

  private async take({ objects, ...state }: SubstrateState): Promise<readonly string[]> {
    const keep = (key: string) => this.values.set(key, objects[key] ?? null);
    const isEmpty = this.state === null;
    if (isEmpty && !(await inSlices(Object.keys(objects), keep, this.stopping.signal))) return [];
    // Another one may have been taken meanwhile.
    const isFirst = this.state === null;
    const isNew = this.state?.capture_id !== state.capture_id;
    this.state = state;
    this.problem = null;
    if (isFirst) {
      this.noteCapture(state.capture_id, state.captured_at, null);
      this.listeners.tell(null);
      return [];
    }
    const changedKeys = this.apply(differencesFrom(this.values, objects), Date.now());
    if (isNew) this.noteCapture(state.capture_id, state.captured_at, changedKeys);
    this.listeners.tell(changedKeys);
    return changedKeys;
  }

  private apply({ changed, added, removed }: Differences, atMs: number): string[] {
    for (const { path, before, after } of changed) this.change(path, { before, after, atMs });
    for (const { path, value } of added) this.change(path, { before: undefined, after: value, atMs });
    for (const { path, value } of removed) this.change(path, { before: value, after: undefined, atMs });
    return [...changed, ...added, ...removed].map(({ path }) => path);
  }

  private change(key: string, change: KeyChange): void {
    if (change.after === undefined) this.values.delete(key);
    else this.values.set(key, change.after);
    this.changes.delete(key);
    this.changes.set(key, change);
    if (this.changes.size > MAX_CHANGES)
      for (const oldest of this.changes.keys()) return void this.changes.delete(oldest);
  }

  /** A capture may be told twice: by the answer to `refresh` and by the notification. */
  private noteCapture(captureId: string, capturedAt: string, keys: readonly string[] | null): void {
    if (this.captures.some((note) => note.captureId === captureId)) return;
    const changedKeys = keys?.slice(0, MAX_NOTED_KEYS) ?? [];
    this.captures.push({ captureId, capturedAt, changedCount: keys?.length ?? null, changedKeys });
    if (this.captures.length > MAX_CAPTURES) this.captures.shift();
  }

  /** What differences do not tell. */
  private takeSummary(summary: AppSummary): void {
    const { confidence, action_count, current_url, current_view } = summary;
    if (this.state === null) return;
    const context = { ...this.state.context, url: current_url, view: current_view };
    const confidence_reason = summary.confidence_reason ?? this.state.confidence_reason;
    this.state = { ...this.state, confidence, confidence_reason, context };
    const isOther = action_count !== Object.keys(this.state.actions).length && action_count !== this.askedActionCount;
    if (isOther) void this.readActions(action_count);
  }

  private async readActions(count: number): Promise<void> {
    this.askedActionCount = count;
    try {
      const { actions, schema_version } = await this.substrate.schema(this.pid, { signal: this.stopping.signal });
      if (this.state) this.state = { ...this.state, actions, schema_version };
      this.listeners.tell([]);
    } catch {
      // Those that are known stay: the next count that differs has them read again.
      this.askedActionCount = -1;
    }
  }

  /** A read is refused with the reason. Asked once for each status. */
  private async askWhy(status: string): Promise<void> {
    this.askedStatus = status;
    try {
      await this.take(await this.substrate.state(this.pid, { signal: this.stopping.signal }));
    } catch (error) {
      if (this.stopping.signal.aborted) return;
      this.problem = isGone(error) ? this.endedText() : messageOf(error);
      this.listeners.tell([]);
    }
  }

  /** Says why it is left alone, and asks for no state: that would attach to it. */
  private async askAttachment(status: string): Promise<void> {
    const isNews = status !== this.askedStatus;
    this.askedStatus = status;
    try {
      const all = await this.substrate.attachments({ signal: this.stopping.signal });
      const own = all.find(({ pid }) => pid === this.pid);
      this.notAttached = own && !own.by_itself ? own.reason : null;
      if (own === undefined) this.problem = this.endedText();
      else if (isNews) this.problem = null;
    } catch (error) {
      if (this.stopping.signal.aborted) return;
      this.problem = messageOf(error);
    }
    this.listeners.tell([]);
  }

  private endedText(): string {
    return this.state === null
      ? `No app with pid ${this.pid} is there: it has ended.`
      : 'The app has ended. This is the last state that was seen.';
  }
}

/** It has no probe, by choice or because it has ended. */
function isLeftAlone({ probe_status }: AppSummary): boolean {
  return probe_status === 'detecting' || probe_status === 'detached';
}

function isGone(error: unknown): boolean {
  return error instanceof SubstrateError && (error.code === 'pid_not_found' || error.code === 'not_found');
}
