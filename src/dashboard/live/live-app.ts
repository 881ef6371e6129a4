/**
 * The selected app, kept current. A notification says that something changed; then the daemon is asked for the
 * difference since the last answer, so the cost depends on the change. A whole state is read at first, after a lost
 * connection, and if the daemon no longer has the known capture.
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
/** After this many lists of apps without a message of the watch, the state is read without it. */
const MAX_SILENT_LISTS = 3;
const WATCH_DELIVERS = Number.POSITIVE_INFINITY;

/** The last change of a key. Undefined means that it did not exist. */
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
  /** Why it is not attached to without being asked; null if it is, or has ended. */
  notAttached: string | null = null;
  /** By key, newest last. */
  readonly changes = new Map<string, KeyChange>();
  private readonly listeners = new Listeners<readonly string[] | null>();
  private readonly stopping = new AbortController();
  private isFollowing = false;
  private isReading = false;
  /** Number of lists of apps since the start or the last loss, while the watch is silent. */
  private silence = 0;
  private askedStatus: string | null = null;
  private askedActionCount = -1;

  constructor(substrate: Substrate, pid: number) {
    this.substrate = substrate;
    this.pid = pid;
  }

  /** The numbers of keys and actions: those of the list until the state has arrived. Null if nothing can be read. */
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

  /** The entry of the list of apps, about once a second. Null if the daemon does not know the app. */
  noteSummary(summary: AppSummary | null): void {
    this.summary = summary;
    if (summary === null) this.problem = this.endedText();
    else if (summary.has_state) {
      this.notAttached = null;
      if (!this.isFollowing) void this.follow();
      else if (this.silence < MAX_SILENT_LISTS) this.silence++;
      else if (this.silence !== WATCH_DELIVERS) void this.readWithoutWatch();
      this.takeSummary(summary);
    } else if (isLeftAlone(summary)) void this.askAttachment(summary.probe_status);
    else if (summary.probe_status !== this.askedStatus) void this.askWhy(summary.probe_status);
    this.listeners.notify([]);
  }

  /** For an app that is not attached to without being asked. */
  async attach(): Promise<void> {
    this.notAttached = null;
    this.problem = null;
    this.listeners.notify([]);
    try {
      await this.substrate.attach(this.pid, { signal: this.stopping.signal });
    } catch (error) {
      if (!this.stopping.signal.aborted) this.problem = messageOf(error);
    }
    this.listeners.notify([]);
  }

  /** The daemon did not answer: the watch will need a while to reconnect. */
  noteLost(): void {
    this.silence = 0;
  }

  async refresh(): Promise<void> {
    // Somebody waits for it, so a refusal is shown at once.
    await this.substrate.look(this.pid, { signal: this.stopping.signal, retries: 0 });
    await this.readMissed();
    await this.readActions(this.summary?.action_count ?? -1);
  }

  private async follow(): Promise<void> {
    this.isFollowing = true;
    this.askedStatus = null;
    this.silence = 0;
    try {
      for await (const event of this.substrate.watch(this.pid, { signal: this.stopping.signal })) {
        this.silence = WATCH_DELIVERS;
        if (event.kind === 'state') await this.take(event.state);
        else await this.catchUp(event);
      }
      this.problem = this.endedText();
    } catch (error) {
      this.problem = isGone(error) ? this.endedText() : messageOf(error);
    } finally {
      this.isFollowing = false;
    }
    if (!this.stopping.signal.aborted) this.listeners.notify([]);
  }

  /** For connections without a watch, as behind a proxy that allows no sockets. */
  private async readWithoutWatch(): Promise<void> {
    if (this.isReading) return;
    this.isReading = true;
    try {
      await this.readMissed();
    } catch {
      // The list of apps shows whether the daemon answers, and the watch shows its errors.
    } finally {
      this.isReading = false;
    }
  }

  /** Reads changes that the watch has not delivered, or not yet. */
  private async readMissed(): Promise<void> {
    const keys = await this.readDifferences(new Date().toISOString());
    if (this.state && keys.length > 0) this.noteCapture(this.state.capture_id, this.state.captured_at, keys);
  }

  private async catchUp(message: WatchMessage): Promise<void> {
    this.noteCapture(message.capture_id, message.timestamp, message.changed_keys);
    const known = this.state?.capture_id;
    // An earlier answer already included it: ids grow with time.
    if (known === undefined || message.capture_id > known) await this.readDifferences(message.timestamp);
  }

  /** Returns the keys that differ. */
  private async readDifferences(capturedAt: string): Promise<readonly string[]> {
    const known = this.state?.capture_id;
    const diff = known === undefined ? null : await this.diffSince(known);
    if (diff === null) return await this.take(await this.substrate.state(this.pid, { signal: this.stopping.signal }));
    // Another request may have brought a newer one meanwhile.
    if (this.state === null || this.state.capture_id !== known || diff.capture_id === known) return [];
    this.state = { ...this.state, capture_id: diff.capture_id, captured_at: capturedAt };
    this.problem = null;
    const keys = this.apply(diff, Date.now());
    this.listeners.notify(keys);
    return keys;
  }

  /** Null if the daemon no longer has that capture. */
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
    // A newer capture may have been taken meanwhile.
    const isFirst = this.state === null;
    const isNew = this.state?.capture_id !== state.capture_id;
    this.state = state;
    this.problem = null;
    if (isFirst) {
      this.noteCapture(state.capture_id, state.captured_at, null);
      this.listeners.notify(null);
      return [];
    }
    const changedKeys = this.apply(differencesFrom(this.values, objects), Date.now());
    if (isNew) this.noteCapture(state.capture_id, state.captured_at, changedKeys);
    this.listeners.notify(changedKeys);
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

  /** A capture may arrive twice: with the answer to `refresh` and with the notification. */
  private noteCapture(captureId: string, capturedAt: string, keys: readonly string[] | null): void {
    if (this.captures.some((note) => note.captureId === captureId)) return;
    const changedKeys = keys?.slice(0, MAX_NOTED_KEYS) ?? [];
    this.captures.push({ captureId, capturedAt, changedCount: keys?.length ?? null, changedKeys });
    if (this.captures.length > MAX_CAPTURES) this.captures.shift();
  }

  /** Facts that differences do not include. */
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
      this.listeners.notify([]);
    } catch {
      // The known ones stay: the next different count causes another read.
      this.askedActionCount = -1;
    }
  }

  /** A read is refused with the reason. Requested once per status. */
  private async askWhy(status: string): Promise<void> {
    this.askedStatus = status;
    try {
      await this.take(await this.substrate.state(this.pid, { signal: this.stopping.signal }));
    } catch (error) {
      if (this.stopping.signal.aborted) return;
      this.problem = isGone(error) ? this.endedText() : messageOf(error);
      this.listeners.notify([]);
    }
  }

  /** Reads the reason why it is left alone, without its state: that would attach to it. */
  private async askAttachment(status: string): Promise<void> {
    const isNew = status !== this.askedStatus;
    this.askedStatus = status;
    try {
      const all = await this.substrate.attachments({ signal: this.stopping.signal });
      const own = all.find(({ pid }) => pid === this.pid);
      this.notAttached = own && !own.by_itself ? own.reason : null;
      if (own === undefined) this.problem = this.endedText();
      else if (isNew) this.problem = null;
    } catch (error) {
      if (this.stopping.signal.aborted) return;
      this.problem = messageOf(error);
    }
    this.listeners.notify([]);
  }

  private endedText(): string {
    return this.state === null
      ? `No app with pid ${this.pid} is there: it has ended.`
      : 'The app has ended. This is the last state that was seen.';
  }
}

/** It has no probe, by decision or because it has ended. */
function isLeftAlone({ probe_status }: AppSummary): boolean {
  return probe_status === 'detecting' || probe_status === 'detached';
}

function isGone(error: unknown): boolean {
  return error instanceof SubstrateError && (error.code === 'pid_not_found' || error.code === 'not_found');
}
