/** The bodies of the HTTP API, exactly as the clients see them. OpenAPI, request checks and client types come from here. */
import * as z from 'zod';
import { BUDGET_PARTS } from './budget.ts';
import { ERROR_STATUS, type ErrorCode } from './errors.ts';
import { flawOfGlobs, splitGlobs } from './key-filter.ts';
import { openableUrl } from './openable-url.ts';
import { REVERSIBILITIES } from './reversibility.ts';
import { TYPE_NAMES } from './scalar.ts';

export type { Reversibility } from './reversibility.ts';

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const isoTime = z.iso.datetime();
const uuid = z.uuidv7();
const confidence = z.number().min(0).max(1);
const latencyMs = z.int().min(0);

const PROBE_STATUSES = ['detecting', 'attaching', 'cold_probe', 'active', 'error', 'detached'] as const;
export type ProbeStatus = (typeof PROBE_STATUSES)[number];

/** Drivers declare theirs. */
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
  /** False: its code was not looked at yet, and until then it counts as what cannot be undone. Absent: it is judged. */
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

/** A glob that matches no key, and keys or beginnings of keys that are spelled alike. */
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
  /** Why it is what it is, in one sentence. */
  confidence_reason: z.string(),
  context: appContext,
  objects: z.record(z.string(), scalar),
  actions: z.record(z.string(), actionSchema),
  probe_metadata: probeMetadata,
  /** Those of the globs in `keys` that match nothing. Absent: none. */
  unmatched: z.array(unmatchedGlob).optional(),
});
export type SubstrateState = z.infer<typeof substrateState>;

export const appSummary = z.object({
  pid: z.int(),
  app_id: z.string(),
  app_name: z.string(),
  /** Ids that it had before, which name it still. Absent: none. */
  aliases: z.array(z.string()).optional(),
  runtime,
  runtime_name: z.string(),
  probe_status: z.enum(PROBE_STATUSES),
  confidence,
  /** Null: there is no state. */
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
  probe_status: z.enum(PROBE_STATUSES),
  by_itself: z.boolean(),
  reason: z.string(),
  /** Why the last attach or look failed; null: it did not. */
  problem: z.string().nullable(),
  /** It is not tried again: nothing would help while this process runs. */
  given_up: z.boolean(),
  /** Whether it can be attached to, whether that happens by itself, why, and what helps: in sentences. */
  verdict: z.string(),
  /** What reading its state costs the app; null: it was not read yet. */
  cost: z
    .object({
      /** CPU time of the first search, in ms. */
      search_ms: z.number().min(0),
      /** CPU time of a poll, in ms: the mean of the last ones. */
      poll_ms: z.number().min(0),
      poll_interval_ms: z.number().min(0),
      /** The part of the budget because of which not all was read; null: none. */
      stopped_by: z.enum(BUDGET_PARTS).nullable(),
    })
    .nullable(),
  /** Parts of the probe that do not work in this app, and why. */
  parts: z.array(z.object({ name: z.string(), problem: z.string() })),
  /** Exceptions that the agent inside the app dropped, counted by place in its code. */
  discarded: z.record(z.string(), z.int().min(1)),
});
export type Attachment = z.infer<typeof attachment>;

/** One step of what the daemon did to an app. Never a key, a value or an address of a page. */
export const traceStep = z.object({
  number: z.int(),
  /** How many steps it is part of. */
  depth: z.int().min(0),
  step: z.string(),
  /** Since the app was found. */
  at_ms: z.number(),
  /** How long it took; null: it is under way. */
  ms: z.number().nullable(),
  /** Of the message. */
  id: z.int().optional(),
  pid: z.int().optional(),
  port: z.int().optional(),
  /** Bytes. */
  sent: z.int().optional(),
  received: z.int().optional(),
  count: z.int().optional(),
  result: z.string().optional(),
  problem: z.string().optional(),
  /** In a row, with nothing new. */
  times: z.int().optional(),
  /** Parts that were too many to be kept. */
  omitted: z.int().optional(),
});
export type TraceStep = z.infer<typeof traceStep>;

export const traceResponse = z.object({
  pid: z.int(),
  app_id: z.string(),
  /** When the app was found. */
  found_at: isoTime,
  /** For the next question: `since`. */
  revision: z.int().min(0),
  steps: z.array(traceStep),
});
export type TraceResponse = z.infer<typeof traceResponse>;

/** For requests that say all with their path. */
export const noFields = z.strictObject({});

/** What a link to the dashboard carries. */
export const dashboardCode = z.object({ code: z.string(), expires_at: isoTime });
export type DashboardCode = z.infer<typeof dashboardCode>;

export const dashboardKeyRequest = z.strictObject({ code: z.string().min(1).max(200) });

/** What the page gets for the code. */
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

export const hostSummary = z.object({
  host: z.string(),
  version: z.string(),
  since: z.string(),
  self: z.boolean(),
  problem: z.string().nullable(),
});
export type HostSummary = z.infer<typeof hostSummary>;

export const hostsResponse = z.object({
  host: z.string().nullable(),
  problem: z.string().nullable(),
  total: z.int().min(0),
  hosts: z.array(hostSummary),
});
export type HostsResponse = z.infer<typeof hostsResponse>;

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
/** As in `changed_fields`: a key that appeared has no `before`, one that went has no `after`; both are then null. */
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

/** No `value`: the key was not there. */
const historyPoint = z.object({ at: isoTime, value: scalar.optional() });
const keySeries = z.object({ key: z.string(), points: z.array(historyPoint) });
export const historyResponse = z.object({
  pid: z.int(),
  app_id: z.string(),
  capture_id: uuid,
  from: isoTime,
  to: isoTime,
  series: z.array(keySeries),
});
export type HistoryResponse = z.infer<typeof historyResponse>;

export const publishedResponse = z.object({
  host: z.string(),
  app_id: z.string(),
  from: isoTime,
  to: isoTime,
  lost: z.int().min(0),
  series: z.array(keySeries.extend({ pid: z.int(), seen_at: z.string() })),
});
export type PublishedResponse = z.infer<typeof publishedResponse>;

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

/** Of Java alone. */
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

/** What an action did before, since the daemon attached to its app. */
const earlierRuns = z.object({
  count: z.int().min(0),
  /** Keys that differed after the last run, the first ones. */
  last_changed: z.array(z.string()),
});
export type EarlierRuns = z.infer<typeof earlierRuns>;

/** An action that waits for a person. */
export const approval = z.object({
  id: z.string(),
  asked_at: isoTime,
  /** No answer by then is a no. */
  expires_at: isoTime,
  key_id: z.string(),
  key_label: z.string().nullable(),
  pid: z.int(),
  app_id: z.string(),
  app_name: z.string(),
  action: z.string(),
  description: z.string(),
  /** What the name is bound to: only this runs after an approval. */
  binding: z.string(),
  signature: z.string(),
  reversibility: z.enum(REVERSIBILITIES),
  /** Secrets are redacted. */
  parameters: z.record(z.string(), z.unknown()),
  verify_expression: z.string().nullable(),
  /** Whether the expression is true before the action already, which makes it a weak proof; null: there is none. */
  already_true: z.boolean().nullable(),
  earlier_runs: earlierRuns,
  /** Changes of the app since the action was asked for, the first ones. */
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
  /** Only in a message that reports no change: those of the globs in `keys` that match nothing at the moment. */
  unmatched: z.array(unmatchedGlob).optional(),
});
export type WatchMessage = z.infer<typeof watchMessage>;

export const browserResponse = z.object({
  pid: z.int(),
  app_id: z.string(),
  app_name: z.string(),
  /** False: it ran already, and has a new tab. */
  started: z.boolean(),
  /** True: it has no window. Null: somebody else started it. */
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

/** What no app_id has: an id names a file, too. */
const ONE_NAME = /^[^/\\\p{Cc}]+$/u;
/** Both may be given; `which app` is decided by the daemon. */
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

/** `correct_type` is any string here: a wrong one is a rejected correction, not a bad request. */
export const correction = z.strictObject({
  observed_key: z.string().min(1).max(2000),
  correct_label: z.string().min(1).max(500),
  correct_type: z.string().max(100),
  confidence: confidence.default(1),
  notes: z.string().max(2000).optional(),
  binding: z.string().max(500).optional(),
});
export type Correction = z.infer<typeof correction>;
/** As a client may send it. */
export type CorrectionInput = z.input<typeof correction>;

export const learnRequest = z.strictObject({
  capture_id: z.string().min(1).max(100),
  schema_version: z.string().min(1).max(100),
  feedback_type: z.enum(['label_correction', 'type_correction', 'action_correction']).default('label_correction'),
  corrections: z.array(correction).min(1).max(1000),
});
export type LearnRequest = z.infer<typeof learnRequest>;

// ---- Model Context Protocol: only as much as is needed to tell that it is one of its messages ----------------------

export const mcpMessage = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
});
/** Clients of 2025-03-26 may send several at once. Few: each of them may be as much work as a request. */
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
/** Keys as they are, parted by commas. */
export const historyKeysQuery = z
  .string()
  .min(1)
  .max(8000)
  .refine((text) => {
    const { length } = splitGlobs(text);
    return length > 0 && length <= MAX_HISTORY_KEYS;
  }, `expected 1 to ${MAX_HISTORY_KEYS} keys, parted by commas`);

/** Globs, parted by commas. */
export const keysQuery = z
  .string()
  .min(1)
  .max(8000)
  .superRefine((text, context) => {
    const flaw = flawOfGlobs(text);
    if (flaw !== null) context.addIssue({ code: 'custom', message: flaw });
  })
  .optional();
