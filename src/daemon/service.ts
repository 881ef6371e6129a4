/** The interface of the daemon to front ends. Errors are SubstrateErrors; bytes are ready to be sent. */
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
  /** The id of the requesting API key; `anonymous` if none is needed. */
  readonly keyId: string;
  /** The label that its owner gave it. */
  readonly keyLabel: string | null;
  readonly permissions: Permissions;
  /** The current permissions in the keys file. Throws the 401 of a key that is no longer valid. */
  readonly permissionsNow: () => Permissions;
  /** Aborted when the client has gone or its time is up. */
  readonly signal: AbortSignal;
  /** Called before a heap-snapshot cycle starts for this client; throws `rate_limited` if it has none left. */
  readonly spendSnapshot: () => void;
}

/** The app that a request names. */
export interface AppSelector {
  readonly pid?: number | undefined;
  readonly app_id?: string | undefined;
}

/** JSON text in pieces, some of them shared with other readers: never change them. */
export type JsonBytes = readonly Buffer[];

export interface ReadOptions {
  /** Capture the app first. */
  readonly fresh: boolean;
  /** Globs, separated by commas, that select the keys. Null for all. */
  readonly keys: string | null;
  /** Captures that the client has. */
  readonly known: readonly string[];
}

export interface Reading {
  /** Null if the client already has this capture. */
  readonly bytes: JsonBytes | null;
  readonly captureId: string;
}

/** The action's response; `updated_state` is passed as bytes besides the other fields. */
export interface ActionResult {
  readonly fields: Omit<ActionResponse, 'updated_state'>;
  readonly updatedState: JsonBytes | null;
  /** Null if the state was not read afterwards. */
  readonly effect: ActionEffect | null;
  /** The connection or the program ended during the action. */
  readonly isLost?: true;
}

export interface WatchEvent {
  readonly appId: string;
  readonly captureId: string;
  readonly changedKeys: readonly string[];
  /** Keys that are shown on request only. */
  readonly hiddenKeys?: readonly string[];
  /** ISO 8601 with milliseconds. */
  readonly timestamp: string;
}

export interface Unmatched {
  readonly appId: string;
  readonly captureId: string;
  /** Empty if each of them matches a key. */
  readonly globs: readonly UnmatchedGlob[];
}

export interface Watcher {
  onChange(event: WatchEvent): void;
  /** The process ended; this is the last call. */
  onExit(): void;
}

export interface Service {
  trackedProcesses(): number;
  /** Throws `forbidden_scope` if the permissions exclude this app. An unknown app is allowed. */
  allow(app: AppSelector, permissions: Permissions): void;
  /** Lists the apps that the permissions include. */
  listApps(permissions: Permissions): AppSummary[];
  readState(pid: number, read: ReadOptions, options: CallOptions): Promise<Reading>;
  /** The latest state, if an earlier read has left it ready; null if `readState` has to make it. */
  readFromMemory(pid: number, known: readonly string[]): Reading | null;
  /** A view of a state for callers in this process. */
  lookAt(pid: number, fresh: boolean, options: CallOptions): Promise<StateLook>;
  /** Attaches to the named app if needed. Resolves when it has state or cannot have any. */
  ask(pid: number, options: CallOptions): Promise<void>;
  /** Which apps are attached to without being asked, and why. Never triggers a probe. */
  attachments(permissions: Permissions): Attachment[];
  attach(pid: number, options: CallOptions): Promise<Attachment>;
  /** The steps of the work on an app, or those that are new since a revision. Never triggers a probe. */
  trace(pid: number, since: number): TraceResponse;
  /** The app stays detached until somebody asks for it. */
  detach(pid: number, options: CallOptions): Promise<Attachment>;
  readSchema(pid: number): SchemaResponse;
  /** `all` includes keys that are shown on request only. */
  diff(pid: number, since: string, all: boolean, options: CallOptions): DiffResponse;
  /** The values of these keys over the kept captures. */
  keyHistory(pid: number, keys: readonly string[]): HistoryResponse;
  verify(request: VerifyRequest, options: CallOptions): Promise<VerifyResponse>;
  /**
   * Also resolves if the verification failed (`verification.passed` is false then); throws if nothing was dispatched.
   * `ifMatch`: a capture; throws `state_changed` if anything that the action reads has changed since.
   */
  act(request: ActionRequest, options: CallOptions, ifMatch?: string | null): Promise<ActionResult>;
  /** Logs an action that was refused before it came here, and throws the error. */
  refuse(request: ActionRequest, options: CallOptions, error: unknown): Promise<never>;
  /** Opens an address in a browser, which is started if none runs. Resolves when its page can be read. */
  openBrowser(url: string, options: CallOptions): Promise<BrowserResponse>;
  /** Actions that wait for a person, in apps that the permissions include. */
  approvals(permissions: Permissions): Approval[];
  /** Throws `not_found` if nothing with this id waits. */
  decide(id: string, approve: boolean, options: CallOptions): Approval;
  learn(pid: number, request: LearnRequest, options: CallOptions): LearnResponse;
  /** The schema of an app, running or not. Throws `not_found`. */
  exportSchema(appId: string, all: boolean): SchemaDocument;
  /** Throws `overloaded` if the key has imported too much. */
  importSchema(request: ImportRequest, options: CallOptions): ImportResponse;
  /** Throws `not_found`. Returns a function that ends the watch. */
  watch(pid: number, watcher: Watcher): () => void;
  /** Globs that match nothing at the moment; null if the app has no state yet or has ended. Never triggers a probe. */
  unmatched(pid: number, globs: string, owner: string): Promise<Unmatched | null>;
}
