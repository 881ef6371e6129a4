/** Everything that a front end can ask of the daemon. Errors are SubstrateErrors; bytes are ready to be sent. */
import type { Permissions } from '../model/permissions.ts';
import type { ImportRequest, ImportResponse, SchemaDocument } from '../model/schema-document.ts';
import type { ActionEffect, StateLook } from '../model/state-look.ts';
import type { UnmatchedGlob } from '../model/unmatched-globs.ts';
import type {
  ActionRequest,
  ActionResponse,
  Approval,
  AppSummary,
  Attachment,
  BrowserResponse,
  DiffResponse,
  HistoryResponse,
  LearnRequest,
  LearnResponse,
  SchemaResponse,
  TraceResponse,
  VerifyRequest,
  VerifyResponse,
} from '../model/wire.ts';

export interface CallOptions {
  /** Of the API key that asks; `anonymous` where none is needed. */
  readonly keyId: string;
  /** What its owner calls it. */
  readonly keyLabel: string | null;
  readonly permissions: Permissions;
  /** The same as the keys file has them now. Throws the 401 of a key that lets nobody in any more. */
  readonly permissionsNow: () => Permissions;
  /** Aborted when the client has gone or its time is up. */
  readonly signal: AbortSignal;
  /** Called before a heap-snapshot cycle is begun for this client; throws `rate_limited` when it has none left. */
  readonly spendSnapshot: () => void;
}

/** As requests name an app. */
export interface AppSelector {
  readonly pid?: number | undefined;
  readonly app_id?: string | undefined;
}

/** A JSON text in pieces, some of them shared with other readers: never to be changed. */
export type JsonBytes = readonly Buffer[];

export interface ReadOptions {
  /** Look at the app first. */
  readonly fresh: boolean;
  /** Globs, parted by commas: only the keys that they mean. Null: all. */
  readonly keys: string | null;
  /** Captures that the client has. */
  readonly known: readonly string[];
}

export interface Reading {
  /** Null: the client has it, as this capture. */
  readonly bytes: JsonBytes | null;
  readonly captureId: string;
}

/** The action's response; `updated_state` comes as bytes beside the other fields. */
export interface ActionResult {
  readonly fields: Omit<ActionResponse, 'updated_state'>;
  readonly updatedState: JsonBytes | null;
  /** Null when the state was not read after it. */
  readonly effect: ActionEffect | null;
  /** The connection or the program ended during it. */
  readonly isLost?: true;
}

export interface WatchEvent {
  readonly appId: string;
  readonly captureId: string;
  readonly changedKeys: readonly string[];
  /** Of keys that are shown only when they are asked for. */
  readonly hiddenKeys?: readonly string[];
  /** ISO 8601 with milliseconds. */
  readonly timestamp: string;
}

export interface Unmatched {
  readonly appId: string;
  readonly captureId: string;
  /** Empty: each of them matches a key. */
  readonly globs: readonly UnmatchedGlob[];
}

export interface Watcher {
  onChange(event: WatchEvent): void;
  /** The process ended; nothing follows. */
  onExit(): void;
}

export interface Service {
  trackedProcesses(): number;
  /** Throws `forbidden_scope` where these permissions are not for this app. An unknown app is nobody's. */
  allow(app: AppSelector, permissions: Permissions): void;
  /** Those that the permissions are for. */
  listApps(permissions: Permissions): AppSummary[];
  readState(pid: number, read: ReadOptions, options: CallOptions): Promise<Reading>;
  /** The latest state, if an earlier read has left it ready; null: `readState` has to make it. */
  readFromMemory(pid: number, known: readonly string[]): Reading | null;
  /** A state for those in this process. */
  lookAt(pid: number, fresh: boolean, options: CallOptions): Promise<StateLook>;
  /** A request names this app: it is attached to where it is not. Resolves when it has state or cannot have any. */
  ask(pid: number, options: CallOptions): Promise<void>;
  /** Who is attached to by itself, and why. Never triggers a probe. */
  attachments(permissions: Permissions): Attachment[];
  attach(pid: number, options: CallOptions): Promise<Attachment>;
  /** The steps that were taken with an app, or those that are new since a revision. Never triggers a probe. */
  trace(pid: number, since: number): TraceResponse;
  /** It stays detached until it is asked for. */
  detach(pid: number, options: CallOptions): Promise<Attachment>;
  readSchema(pid: number): SchemaResponse;
  /** `all`: also of keys that are shown only when they are asked for. */
  diff(pid: number, since: string, all: boolean, options: CallOptions): DiffResponse;
  /** What these keys held over the captures that are kept. */
  keyHistory(pid: number, keys: readonly string[]): HistoryResponse;
  verify(request: VerifyRequest, options: CallOptions): Promise<VerifyResponse>;
  /**
   * Resolves also when verification failed (`verification.passed` is false then); throws when nothing was dispatched.
   * `ifMatch`: a capture since which nothing may have changed that the action reads; else `state_changed`.
   */
  act(request: ActionRequest, options: CallOptions, ifMatch?: string | null): Promise<ActionResult>;
  /** Throws this error, which the log of actions tells of: the action was refused before it came here. */
  refuse(request: ActionRequest, options: CallOptions, error: unknown): Promise<never>;
  /** Opens an address in a browser that is started for it, unless one runs. Resolves when its page can be read. */
  openBrowser(url: string, options: CallOptions): Promise<BrowserResponse>;
  /** Actions that wait for a person, of apps that the permissions are for. */
  approvals(permissions: Permissions): Approval[];
  /** Throws `not_found` where nothing of this id waits. */
  decide(id: string, approve: boolean, options: CallOptions): Approval;
  learn(pid: number, request: LearnRequest, options: CallOptions): LearnResponse;
  /** What is known of an app, running or not. Throws `not_found`. */
  exportSchema(appId: string, all: boolean): SchemaDocument;
  /** Throws `overloaded` where the key has imported too much. */
  importSchema(request: ImportRequest, options: CallOptions): ImportResponse;
  /** Throws `not_found`. Returns how to stop. */
  watch(pid: number, watcher: Watcher): () => void;
  /** Those of the globs that match nothing at the moment; null: it has no state yet, or has ended. Never triggers a probe. */
  unmatched(pid: number, globs: string, owner: string): Promise<Unmatched | null>;
}
