/** The bodies of the HTTP API as clients see them. OpenAPI, request checks and client types come from here. */
import * as z from 'zod';
import { appOrigin } from './app-origin.ts';
import { BUDGET_PARTS } from './budget.ts';
import { ERROR_STATUS, type ErrorCode } from './errors.ts';
import { flawOfGlobs, splitGlobs } from './key-filter.ts';
import { openableUrl } from './openable-url.ts';
import { REVERSIBILITIES } from './reversibility.ts';
import { TYPE_NAMES } from './scalar.ts';

export type { Reversibility } from './reversibility.ts';

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
export const isoTime = z.iso.datetime();
const uuid = z.uuidv7();
const confidence = z.number().min(0).max(1);
const latencyMs = z.int().min(0);

const PROBE_STATUSES = ['detecting', 'attaching', 'cold_probe', 'active', 'error', 'detached'] as const;
export type ProbeStatus = (typeof PROBE_STATUSES)[number];

/** Any string, because drivers declare theirs. */
const probeTier = z.string();
const runtime = z.string();

export const appContext = z.object({
  url: z.string().nullable(),
  location: z.string().nullable(),
  view: z.string().nullable(),
  window_title: z.string().nullable(),
  window_id: z.string().nullable(),
});
export type AppContext = z.infer<typeof appContext>;

const actionParameter = z.object({
  name: z.string(),
  type_name: z.enum(TYPE_NAMES),
  required: z.boolean(),
  description: z.string().optional(),
});

export const actionSchema = z.object({
  signature: z.string(),
  reversibility: z.enum(REVERSIBILITIES),
  /** False if its code was not analysed yet; until then it counts as irreversible. Absent if it is judged. */
  judged: z.literal(false).optional(),
  description: z.string(),
  confidence,
  parameters: z.array(actionParameter),
});
export type ActionSchema = z.infer<typeof actionSchema>;
export type ActionMap = Record<string, ActionSchema>;

export const probeMetadata = z.object({
  capture_latency_ms: latencyMs,
  labeling_latency_ms: latencyMs,
  total_latency_ms: latencyMs,
  raw_object_count: z.int().min(0),
  filtered_object_count: z.int().min(0),
  cache_hit: z.boolean(),
  dom_tier_used: z.boolean(),
  probe_tier: probeTier,
});
export type ProbeMetadata = z.infer<typeof probeMetadata>;

/** A glob that matches no key, with similar keys or prefixes of keys. */
const unmatchedGlob = z.object({ glob: z.string(), nearest: z.array(z.string()) });

export const substrateState = z.object({
  capture_id: uuid,
  app_id: z.string(),
  app_name: z.string(),
  pid: z.int(),
  runtime,
  schema_version: z.string(),
  captured_at: isoTime,
  confidence,
  /** The reason for the confidence, in one sentence. */
  confidence_reason: z.string(),
  context: appContext,
  objects: z.record(z.string(), scalar),
  actions: z.record(z.string(), actionSchema),
  probe_metadata: probeMetadata,
  /** Globs in `keys` that match nothing. Absent if all match. */
  unmatched: z.array(unmatchedGlob).optional(),
});
export type SubstrateState = z.infer<typeof substrateState>;

export const appSummary = z.object({
  pid: z.int(),
  app_id: z.string(),
  app_name: z.string(),
  /** Earlier ids, which still name it. Absent if there are none. */
  aliases: z.array(z.string()).optional(),
  /** The container that it runs in. Absent: none, or that of the daemon. */
  origin: appOrigin.optional(),
  runtime,
  runtime_name: z.string(),
  probe_status: z.enum(PROBE_STATUSES),
  confidence,
  /** Null if there is no state. */
  confidence_reason: z.string().nullable(),
  object_count: z.int().min(0),
  action_count: z.int().min(0),
  last_captured_at: isoTime.nullable(),
  has_state: z.boolean(),
  current_view: z.string().nullable(),
  current_url: z.string().nullable(),
});
export type AppSummary = z.infer<typeof appSummary>;

/** Whether an app is attached to without being asked, and why. */
export const attachment = z.object({
  pid: z.int(),
  app_id: z.string(),
  /** The container that it runs in; null: none, or that of the daemon. */
  origin: appOrigin.nullable(),
  probe_status: z.enum(PROBE_STATUSES),
  by_itself: z.boolean(),
  reason: z.string(),
  /** The error of the last attach or capture, or null. */
  problem: z.string().nullable(),
  /** There is no further attempt, because none can succeed while this process runs. */
  given_up: z.boolean(),
  /**
   * Whether it can be attached to, whether that happens without being asked, the reason and the remedy, in sentences.
   */
  verdict: z.string(),
  /** The cost of reading its state for the app; null before the first capture. */
  cost: z
    .object({
      /** CPU time of the first search, in ms. */
      search_ms: z.number().min(0),
      /** CPU time of a poll, in ms: the mean of the last ones. */
      poll_ms: z.number().min(0),
      poll_interval_ms: z.number().min(0),
      /** The part of the budget that kept the capture from being complete, or null. */
      stopped_by: z.enum(BUDGET_PARTS).nullable(),
    })
    .nullable(),
  /** Parts of the probe that do not work in this app, and why. */
  parts: z.array(z.object({ name: z.string(), problem: z.string() })),
  /** Exceptions that the agent inside the app dropped, counted by place in its code. */
  discarded: z.record(z.string(), z.int().min(1)),
});
export type Attachment = z.infer<typeof attachment>;

/** One step of the daemon's work on an app. Never a key, a value or an address of a page. */
export const traceStep = z.object({
  number: z.int(),
  /** Its depth in the tree of steps. */
  depth: z.int().min(0),
  step: z.string(),
  /** Time since the app was found. */
  at_ms: z.number(),
  /** Duration; null while it is under way. */
  ms: z.number().nullable(),
  /** The id of the message. */
  id: z.int().optional(),
  pid: z.int().optional(),
  port: z.int().optional(),
  /** Bytes. */
  sent: z.int().optional(),
  received: z.int().optional(),
  count: z.int().optional(),
  result: z.string().optional(),
  problem: z.string().optional(),
  /** How often it was repeated in a row without anything new. */
  times: z.int().optional(),
  /** Parts dropped because there were too many. */
  omitted: z.int().optional(),
});
export type TraceStep = z.infer<typeof traceStep>;

export const traceResponse = z.object({
  pid: z.int(),
  app_id: z.string(),
  /** When the app was found. */
  found_at: isoTime,
  /** The value of `since` for the next request. */
  revision: z.int().min(0),
  steps: z.array(traceStep),
});
export type TraceResponse = z.infer<typeof traceResponse>;

/** For requests without a body. */
export const noFields = z.strictObject({});

/** The content of a link to the dashboard. */
export const dashboardCode = z.object({ code: z.string(), expires_at: isoTime });
export type DashboardCode = z.infer<typeof dashboardCode>;

export const dashboardKeyRequest = z.strictObject({ code: z.string().min(1).max(200) });

/** The page exchanges the code for this key. */
export const dashboardKey = z.object({ key: z.string(), expires_at: isoTime });
export type DashboardKey = z.infer<typeof dashboardKey>;

export const attachmentsResponse = z.object({ apps: z.array(attachment) });

export const appsResponse = z.object({ total: z.int().min(0), apps: z.array(appSummary) });

export const healthResponse = z.object({
  status: z.enum(['ok', 'degraded']),
  version: z.string(),
  uptime_secs: z.int().min(0),
  tracked_processes: z.int().min(0),
  auth_enabled: z.boolean(),
});

export type HealthResponse = z.infer<typeof healthResponse>;

export const schemaResponse = z.object({
  pid: z.int(),
  app_id: z.string(),
  app_name: z.string(),
  schema_version: z.string(),
  actions: z.record(z.string(), actionSchema),
});
export type SchemaResponse = z.infer<typeof schemaResponse>;

export const changedEntry = z.object({ path: z.string(), before: scalar, after: scalar });
/** As in `changed_fields`: a key that appeared has no `before`, a removed key has no `after`; both are then null. */
export type ChangedEntry = z.infer<typeof changedEntry>;
const presentEntry = z.object({ path: z.string(), value: scalar });

export const diffResponse = z.object({
  pid: z.int(),
  app_id: z.string(),
  capture_id: uuid,
  prev_capture_id: uuid,
  changed: z.array(changedEntry),
  added: z.array(presentEntry),
  removed: z.array(presentEntry),
});
export type DiffResponse = z.infer<typeof diffResponse>;

/** `value` is absent if the key did not exist. */
const historyPoint = z.object({ at: isoTime, value: scalar.optional() });
export const keySeries = z.object({ key: z.string(), points: z.array(historyPoint) });
export const historyResponse = z.object({
  pid: z.int(),
  app_id: z.string(),
  capture_id: uuid,
  from: isoTime,
  to: isoTime,
  series: z.array(keySeries),
});
export type HistoryResponse = z.infer<typeof historyResponse>;

export const verificationOutcome = z.object({
  passed: z.boolean(),
  expression: z.string(),
  computed_value: z.unknown(),
  explanation: z.string(),
  latency_ms: latencyMs,
  poll_cycles: z.int().min(1),
  changed_fields: z.array(changedEntry),
});
export type VerificationOutcome = z.infer<typeof verificationOutcome>;

export const verifyResponse = verificationOutcome.extend({
  actual_value: z.unknown().optional(),
  evaluated_at: isoTime,
});
export type VerifyResponse = z.infer<typeof verifyResponse>;

/** Java only. */
const invocationContext = z.object({
  class: z.string(),
  method: z.string(),
  descriptor: z.string(),
  instance: z.string().nullable(),
  thread: z.string(),
});

export const actionResponse = z.object({
  success: z.boolean(),
  action_id: uuid,
  action: z.string(),
  executed: z.boolean(),
  runtime,
  total_latency_ms: latencyMs,
  message: z.string(),
  verification: verificationOutcome.nullable(),
  updated_state: substrateState.nullable(),
  state_delta: z.record(z.string(), z.object({ before: scalar, after: scalar })).nullable(),
  raw_return: z.unknown(),
  invocation_context: invocationContext.nullable(),
});
export type ActionResponse = z.infer<typeof actionResponse>;

/** Earlier runs of an action, since the daemon attached to its app. */
const earlierRuns = z.object({
  count: z.int().min(0),
  /** The first keys that differed after the last run. */
  last_changed: z.array(z.string()),
});
export type EarlierRuns = z.infer<typeof earlierRuns>;

/** An action that waits for a person's confirmation. */
export const approval = z.object({
  id: z.string(),
  asked_at: isoTime,
  /** No answer by then means a refusal. */
  expires_at: isoTime,
  key_id: z.string(),
  key_label: z.string().nullable(),
  pid: z.int(),
  app_id: z.string(),
  app_name: z.string(),
  action: z.string(),
  description: z.string(),
  /** The method behind the name: only this one runs after an approval. */
  binding: z.string(),
  signature: z.string(),
  reversibility: z.enum(REVERSIBILITIES),
  /** Secrets are redacted. */
  parameters: z.record(z.string(), z.unknown()),
  verify_expression: z.string().nullable(),
  /**
   * True if the expression is already true before the action, which makes it a weak proof; null without an expression.
   */
  already_true: z.boolean().nullable(),
  earlier_runs: earlierRuns,
  /** The first changes of the app since the request. */
  changes: z.array(changedEntry),
  change_count: z.int().min(0),
});
export type Approval = z.infer<typeof approval>;
export const approvalsResponse = z.object({ approvals: z.array(approval) });

export const learnResponse = z.object({
  accepted: z.int().min(0),
  rejected: z.int().min(0),
  new_schema_version: z.string(),
  message: z.string(),
});
export type LearnResponse = z.infer<typeof learnResponse>;

export const watchMessage = z.object({
  pid: z.int(),
  app_id: z.string(),
  capture_id: uuid,
  prev_capture_id: uuid.nullable(),
  sequence: z.int(),
  changed_keys: z.array(z.string()),
  timestamp: isoTime,
  /** Globs in `keys` that match nothing at the moment. Only in a message that reports no change. */
  unmatched: z.array(unmatchedGlob).optional(),
});
export type WatchMessage = z.infer<typeof watchMessage>;

export const browserResponse = z.object({
  pid: z.int(),
  app_id: z.string(),
  app_name: z.string(),
  /** False if it was already running and got a new tab. */
  started: z.boolean(),
  /** True if it has no window. Null if somebody else started it. */
  headless: z.boolean().nullable(),
});
export type BrowserResponse = z.infer<typeof browserResponse>;

const errorCodes = Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]];
export const errorBody = z.looseObject({
  error: z.object({
    code: z.enum(errorCodes),
    message: z.string(),
    request_id: z.string(),
    retry_after_ms: z.int().min(0).optional(),
  }),
});
export type ErrorBody = z.infer<typeof errorBody>;

// ---- requests -------------------------------------------------------------------------------------------------

export const MAX_PID = 0x7fffffff;
const positivePid = z.int().min(1).max(MAX_PID);
const waitMs = z.int().min(100).max(30_000).default(5000);

/** Characters that no app_id has, since an id also names a file. */
const ONE_NAME = /^[^/\\\p{Cc}]+$/u;
/** Both may be given; the daemon resolves them. */
const appSelector = {
  pid: positivePid.optional(),
  app_id: z.string().min(1).max(200).regex(ONE_NAME, 'expected an app_id as GET /apps lists it').optional(),
};
const oneOfPidAndAppId = (body: { pid?: number | undefined; app_id?: string | undefined }) =>
  body.pid !== undefined || body.app_id !== undefined;
const selectorMissing = { message: 'expected pid (integer) or app_id (string)', path: ['pid'] };

export const actionRequest = z
  .strictObject({
    ...appSelector,
    action: z.string().min(1).max(500),
    parameters: z.record(z.string(), z.unknown()),
    verify_expression: z.string().optional(),
    verify_timeout_ms: waitMs,
    fresh_state: z.boolean().default(false),
  })
  .refine(oneOfPidAndAppId, selectorMissing);
export type ActionRequest = z.infer<typeof actionRequest>;

export const verifyRequest = z
  .strictObject({ ...appSelector, expression: z.string().min(1), timeout_ms: waitMs })
  .refine(oneOfPidAndAppId, selectorMissing);
export type VerifyRequest = z.infer<typeof verifyRequest>;

export const decisionRequest = z.strictObject({ id: z.string().min(1).max(100), approve: z.boolean() });

/** `correct_type` is any string here: an invalid one is a rejected correction, not a bad request. */
export const correction = z.strictObject({
  observed_key: z.string().min(1).max(2000),
  correct_label: z.string().min(1).max(500),
  correct_type: z.string().max(100),
  confidence: confidence.default(1),
  notes: z.string().max(2000).optional(),
  binding: z.string().max(500).optional(),
});
export type Correction = z.infer<typeof correction>;
/** The form that a client may send. */
export type CorrectionInput = z.input<typeof correction>;

export const learnRequest = z.strictObject({
  capture_id: z.string().min(1).max(100),
  schema_version: z.string().min(1).max(100),
  feedback_type: z.enum(['label_correction', 'type_correction', 'action_correction']).default('label_correction'),
  corrections: z.array(correction).min(1).max(1000),
});
export type LearnRequest = z.infer<typeof learnRequest>;

// ---- Model Context Protocol: only the part that recognises its messages
// ----------------------------------------------

export const mcpMessage = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
});
/** Clients of 2025-03-26 may send several at once. Few are allowed: each may be as much work as a request. */
export const mcpMessages = z.union([mcpMessage, z.array(mcpMessage).min(1).max(10)]);

// ---- parameters -----------------------------------------------------------------------------------------------

export const browserRequest = z.strictObject({
  url: z
    .string()
    .max(8192)
    .refine((url) => openableUrl(url) !== null, { message: 'expected an http or https address, or about:blank' }),
});

export const pidParameter = z.coerce.number().pipe(positivePid);
export const freshQuery = z.enum(['true', 'false']).default('false');

const MAX_HISTORY_KEYS = 20;
/** Literal keys, separated by commas. */
export const historyKeysQuery = z
  .string()
  .min(1)
  .max(8000)
  .refine((text) => {
    const { length } = splitGlobs(text);
    return length > 0 && length <= MAX_HISTORY_KEYS;
  }, `expected 1 to ${MAX_HISTORY_KEYS} keys, separated by commas`);

/** Globs, separated by commas. */
export const keysQuery = z
  .string()
  .min(1)
  .max(8000)
  .superRefine((text, context) => {
    const flaw = flawOfGlobs(text);
    if (flaw !== null) context.addIssue({ code: 'custom', message: flaw });
  })
  .optional();
