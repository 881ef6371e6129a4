/**
 * The client's types are written by hand, for people to read; they must say what the daemon's schemas say. That they are
 * the same only tsc can tell: where they differ, this file does not compile. What is left for a run is that the schemas
 * take what the types allow.
 */
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import type * as client from '../../../src/client/types.ts';
import * as document from '../../../src/model/schema-document.ts';
import * as wire from '../../../src/model/wire.ts';

type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;
/** Intersections written out, so that the same types also look the same. */
type Plain<T> = T extends object ? { [K in keyof T]: Plain<T[K]> } : T;
type IsSame<One, Other> = Same<Plain<One>, Plain<Other>>;

/** Types that others hold (contexts, actions, statuses, …) are compared with them. */
interface Pairs {
  health: [client.HealthResponse, wire.HealthResponse];
  summary: [client.AppSummary, wire.AppSummary];
  state: [client.SubstrateState, wire.SubstrateState];
  schema: [client.SchemaResponse, wire.SchemaResponse];
  diff: [client.DiffResponse, wire.DiffResponse];
  outcome: [client.VerificationOutcome, wire.VerificationOutcome];
  verify: [client.VerifyResponse, wire.VerifyResponse];
  response: [client.ActionResponse, wire.ActionResponse];
  correction: [client.Correction, z.input<typeof wire.learnRequest>['corrections'][number]];
  learn: [client.LearnResponse, wire.LearnResponse];
  document: [client.SchemaDocument, document.SchemaDocument];
  import: [client.ImportResponse, document.ImportResponse];
  message: [client.WatchMessage, wire.WatchMessage];
  dashboardCode: [client.DashboardCode, wire.DashboardCode];
  dashboardKey: [client.DashboardKey, wire.DashboardKey];
  error: [client.ErrorBody['error'], wire.ErrorBody['error']];
}
type Row<Client, Wire> = IsSame<Client, Wire> extends true ? readonly [z.ZodType, Client] : never;

const ID = '0199a1b2-c3d4-7e5f-8a6b-0c1d2e3f4a5b';
const TIME = '2026-01-02T03:04:05.678Z';
const changed: client.ChangedEntry = { path: 'cart.total', before: 1, after: null };

const action: client.ActionSchema = {
  signature: 'fn(name: string) -> number',
  reversibility: 'irreversible_write',
  description: 'Adds.',
  confidence: 0.9,
  parameters: [{ name: 'name', type_name: 'string', required: true, description: 'of the item' }],
};

const state: client.SubstrateState = {
  capture_id: ID,
  app_id: 'shop-00000000',
  app_name: 'shop',
  pid: 1,
  runtime: 'v8',
  schema_version: '1.0.0',
  captured_at: TIME,
  confidence: 0.9,
  context: { url: null, location: null, view: 'cart', window_title: null, window_id: null },
  objects: { 'cart.total': 1, 'cart.open': true, 'cart.name': 'x', 'cart.owner': null },
  actions: { 'cart.add': action },
  probe_metadata: {
    capture_latency_ms: 1,
    labeling_latency_ms: 1,
    total_latency_ms: 2,
    raw_object_count: 4,
    filtered_object_count: 4,
    cache_hit: true,
    dom_tier_used: false,
    probe_tier: 'clr_mmf',
  },
};

const outcome: client.VerificationOutcome = {
  passed: false,
  expression: 'cart.total',
  computed_value: null,
  explanation: 'cart.total is null',
  latency_ms: 1,
  poll_cycles: 1,
  changed_fields: [changed],
};

const bodies: { [Name in keyof Pairs]: Row<Pairs[Name][0], Pairs[Name][1]> } = {
  health: [
    wire.healthResponse.strict(),
    { status: 'degraded', version: '1.0.0', uptime_secs: 1, tracked_processes: 0, auth_enabled: true },
  ],
  summary: [
    wire.appSummary.strict(),
    {
      pid: 1,
      app_id: 'shop-00000000',
      app_name: 'shop',
      runtime: 'jvm',
      runtime_name: 'OpenJDK 17',
      probe_status: 'cold_probe',
      confidence: 0,
      object_count: 0,
      action_count: 0,
      last_captured_at: TIME,
      has_state: false,
      current_view: null,
      current_url: null,
    },
  ],
  dashboardCode: [wire.dashboardCode.strict(), { code: 'x', expires_at: TIME }],
  dashboardKey: [wire.dashboardKey.strict(), { key: 'sk_dashboard_x', expires_at: TIME }],
  state: [wire.substrateState.strict(), state],
  schema: [
    wire.schemaResponse.strict(),
    { pid: 1, app_id: 'shop-00000000', app_name: 'shop', schema_version: '1.0.0', actions: { 'cart.add': action } },
  ],
  diff: [
    wire.diffResponse.strict(),
    {
      pid: 1,
      app_id: 'shop-00000000',
      capture_id: ID,
      prev_capture_id: ID,
      changed: [changed],
      added: [{ path: 'cart.total', value: 1 }],
      removed: [],
    },
  ],
  outcome: [wire.verificationOutcome.strict(), outcome],
  verify: [wire.verifyResponse.strict(), { ...outcome, actual_value: { a: [1] }, evaluated_at: TIME }],
  response: [
    wire.actionResponse.strict(),
    {
      success: false,
      action_id: ID,
      action: 'cart.add',
      executed: true,
      runtime: 'clr',
      total_latency_ms: 1,
      message: 'ran',
      verification: outcome,
      updated_state: state,
      state_delta: { 'cart.total': { before: 1, after: null } },
      raw_return: [1],
      invocation_context: { class: 'a.B', method: 'c', descriptor: '()V', instance: null, thread: 'main' },
    },
  ],
  correction: [
    wire.learnRequest.shape.corrections.element,
    {
      observed_key: 'a',
      correct_label: 'b',
      correct_type: 'number',
      confidence: 0.5,
      notes: 'as people say',
      binding: 'cart#add',
    },
  ],
  learn: [wire.learnResponse.strict(), { accepted: 1, rejected: 0, new_schema_version: '1.0.1', message: 'ok' }],
  document: [
    document.schemaDocument,
    {
      format: 'substrate-schema/1',
      app_id: 'shop-00000000',
      app_name: 'shop',
      labels: [{ path: 'a[*]', label: 'b[*]', type: 'null', confidence: 1, confirmed: true, notes: 'n' }],
      actions: [{ action: 'a', name: 'b', returns: 'array', confidence: 1, binding: 'cart#add', notes: 'n' }],
    },
  ],
  import: [
    document.importResponse.strict(),
    {
      app_id: 'shop-00000000',
      schema_version: '1.0.1',
      counts: { added: 1, changed: 0, unchanged: 0, conflict: 0, rejected: 0 },
      entries: [{ kind: 'label', path: 'a[*]', outcome: 'added', name: 'b[*]', detail: '' }],
    },
  ],
  message: [
    wire.watchMessage.strict(),
    {
      pid: 1,
      app_id: 'shop-00000000',
      capture_id: ID,
      prev_capture_id: null,
      sequence: 1,
      changed_keys: ['cart.total'],
      timestamp: TIME,
    },
  ],
  error: [
    wire.errorBody.shape.error.strict(),
    { code: 'probe_not_ready', message: 'not yet', request_id: 'r', retry_after_ms: 1000 },
  ],
};

describe('what the types of the client allow', () => {
  it.each(Object.entries(bodies))('the schema of the daemon takes, whole: %s', (_, [schema, body]) => {
    expect(schema.parse(body)).toEqual(body);
  });
});
