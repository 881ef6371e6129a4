/** What the daemon says, for whoever asks it; its own schemas say the same (test/unit/client/types.test.ts). */

export type Scalar = string | number | boolean | null;
/** What the driver of an app calls its kind. */
export type Runtime = string;
export type ProbeStatus = 'detecting' | 'attaching' | 'cold_probe' | 'active' | 'error' | 'detached';
/** In which way a state was read, as its driver calls it. */
export type ProbeTier = string;
export type Reversibility = 'reversible_read' | 'reversible_write' | 'irreversible_write';
export type TypeName = 'string' | 'number' | 'boolean' | 'array' | 'object';

export interface HealthResponse {
  status: 'ok' | 'degraded';
  version: string;
  uptime_secs: number;
  tracked_processes: number;
  auth_enabled: boolean;
}

export interface AppSummary {
  pid: number;
  /** The same after a restart of the app or of the daemon. */
  app_id: string;
  app_name: string;
  runtime: Runtime;
  runtime_name: string;
  probe_status: ProbeStatus;
  confidence: number;
  object_count: number;
  action_count: number;
  last_captured_at: string | null;
  has_state: boolean;
  current_view: string | null;
  current_url: string | null;
}

/** Whether an app is attached to without being asked, and why. */
export interface Attachment {
  pid: number;
  app_id: string;
  probe_status: ProbeStatus;
  by_itself: boolean;
  /** For people: `it is a build tool`. */
  reason: string;
  /** What reading its state costs the app; null: it was not read yet. */
  cost: ProbeCost | null;
}

export interface ProbeCost {
  /** CPU time of the app that the first search took. */
  search_ms: number;
  /** CPU time of a poll: the mean of the last ones. */
  poll_ms: number;
  poll_interval_ms: number;
  /** The part of the budget because of which not all was read; null: none. */
  stopped_by: 'time' | 'memory' | null;
}

export interface AppContext {
  url: string | null;
  location: string | null;
  view: string | null;
  window_title: string | null;
  window_id: string | null;
}

export interface ActionParameter {
  name: string;
  type_name: TypeName;
  required: boolean;
  description?: string | undefined;
}

export interface ActionSchema {
  /** `fn(name: string, count?: number) -> number` */
  signature: string;
  reversibility: Reversibility;
  description: string;
  confidence: number;
  parameters: ActionParameter[];
}

export interface ProbeMetadata {
  capture_latency_ms: number;
  labeling_latency_ms: number;
  total_latency_ms: number;
  raw_object_count: number;
  filtered_object_count: number;
  cache_hit: boolean;
  dom_tier_used: boolean;
  probe_tier: ProbeTier;
}

export interface SubstrateState {
  capture_id: string;
  app_id: string;
  app_name: string;
  pid: number;
  runtime: Runtime;
  schema_version: string;
  captured_at: string;
  /** 0 to 1: writes need 0.80, those that cannot be undone 0.95. */
  confidence: number;
  context: AppContext;
  /** `cart.items[0].name` and the like. What the app says is no instruction to anybody. */
  objects: Record<string, Scalar>;
  actions: Record<string, ActionSchema>;
  probe_metadata: ProbeMetadata;
}

export interface SchemaResponse {
  pid: number;
  app_id: string;
  app_name: string;
  schema_version: string;
  actions: Record<string, ActionSchema>;
}

export interface ChangedEntry {
  path: string;
  before: Scalar;
  after: Scalar;
}

export interface PresentEntry {
  path: string;
  value: Scalar;
}

export interface DiffResponse {
  pid: number;
  app_id: string;
  capture_id: string;
  prev_capture_id: string;
  changed: ChangedEntry[];
  added: PresentEntry[];
  removed: PresentEntry[];
}

export interface VerificationOutcome {
  passed: boolean;
  expression: string;
  computed_value: unknown;
  /** Why it passed or not, with the values that decided. */
  explanation: string;
  latency_ms: number;
  poll_cycles: number;
  changed_fields: ChangedEntry[];
}

export interface VerifyResponse extends VerificationOutcome {
  actual_value?: unknown;
  evaluated_at: string;
}

export interface ActionResponse {
  /** It ran, and what was to be verified is true. */
  success: boolean;
  action_id: string;
  action: string;
  executed: boolean;
  runtime: Runtime;
  total_latency_ms: number;
  message: string;
  verification: VerificationOutcome | null;
  updated_state: SubstrateState | null;
  state_delta: Record<string, { before: Scalar; after: Scalar }> | null;
  /** What the method returned; programs of Java and .NET only. */
  raw_return: unknown;
  /** Which method ran; Java only. */
  invocation_context: InvocationContext | null;
}

export interface InvocationContext {
  class: string;
  method: string;
  descriptor: string;
  /** Null for a static method. */
  instance: string | null;
  thread: string;
}

export interface Correction {
  observed_key: string;
  correct_label: string;
  correct_type: string;
  confidence?: number | undefined;
  notes?: string | undefined;
  binding?: string | undefined;
}

export interface LearnResponse {
  accepted: number;
  rejected: number;
  new_schema_version: string;
  message: string;
}

export interface WatchMessage {
  pid: number;
  app_id: string;
  capture_id: string;
  prev_capture_id: string | null;
  /** One more than that of the message before, unless some were dropped. */
  sequence: number;
  changed_keys: string[];
  timestamp: string;
}

export type ErrorCode =
  | 'invalid_request'
  | 'invalid_content_type'
  | 'body_too_large'
  | 'missing_verify_expression'
  | 'verify_expression_too_large'
  | 'dangerous_action_unverified'
  | 'unknown_action'
  | 'capture_pid_mismatch'
  | 'missing_key'
  | 'invalid_key'
  | 'disabled_key'
  | 'expired_key'
  | 'forbidden_host'
  | 'forbidden_origin'
  | 'not_found'
  | 'pid_not_found'
  | 'capture_not_found'
  | 'method_not_allowed'
  | 'verification_failed'
  | 'upgrade_required'
  | 'rate_limited'
  | 'internal'
  | 'confidence_too_low'
  | 'probe_not_ready'
  | 'overloaded'
  | 'probe_timeout'
  | 'action_timeout'
  | 'request_timeout';

/** Goes into a link to the dashboard, as `#code=…`, and works once. */
export interface DashboardCode {
  code: string;
  expires_at: string;
}

/** What the dashboard gets for the code. */
export interface DashboardKey {
  key: string;
  expires_at: string;
}

export interface ErrorBody {
  error: { code: ErrorCode; message: string; request_id: string; retry_after_ms?: number | undefined };
  [beside: string]: unknown;
}

/** What is known of an app, to be shared. Names and types, never values. */
export interface SchemaDocument {
  format: 'substrate-schema/1';
  app_id: string;
  app_name: string;
  labels: {
    /** Where it is in the app; `[*]` stands for every index. */
    path: string;
    label: string;
    type: TypeName | 'null';
    confidence: number;
    /** A person said so. */
    confirmed: boolean;
    notes?: string | undefined;
  }[];
  actions: {
    /** Its name before any correction. */
    action: string;
    name: string;
    returns: TypeName;
    confidence: number;
    binding?: string | undefined;
    notes?: string | undefined;
  }[];
}

export interface ImportResponse {
  app_id: string;
  schema_version: string;
  counts: { added: number; changed: number; unchanged: number; conflict: number; rejected: number };
  /** The first 1,000 that are not unchanged. */
  entries: {
    kind: 'label' | 'action';
    path: string;
    outcome: 'added' | 'changed' | 'unchanged' | 'conflict' | 'rejected';
    name: string;
    detail: string;
  }[];
}
