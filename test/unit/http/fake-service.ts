/** A daemon without processes: canned answers, and replacements by a test. */
import { uuidv7 } from 'uuidv7';
import type { ActionResult, Reading, Service, Watcher } from '../../../src/daemon/service.ts';
import { SubstrateError } from '../../../src/model/errors.ts';
import { pathPattern } from '../../../src/model/path.ts';
import { KeyList, type StateLook } from '../../../src/model/state-look.ts';
import type { Approval, AppSummary, Attachment, SubstrateState, VerifyResponse } from '../../../src/model/wire.ts';

export const PID = 4242;
export const APP_ID = 'inbox-0a1b2c3d';
const CAPTURE_ID = uuidv7();

const ACTIONS: SubstrateState['actions'] = {
  archive: {
    signature: 'fn(id: string) -> void',
    reversibility: 'reversible_write',
    description: 'Archive a message.',
    confidence: 0.9,
    parameters: [{ name: 'id', type_name: 'string', required: true }],
  },
};

export const STATE: SubstrateState = {
  capture_id: CAPTURE_ID,
  app_id: APP_ID,
  app_name: 'Inbox',
  pid: PID,
  runtime: 'v8',
  schema_version: '1.0.0',
  captured_at: '2026-01-02T03:04:05.678Z',
  confidence: 0.96,
  confidence_reason: 'Values of the program were seen to change.',
  context: { url: null, location: null, view: null, window_title: 'Inbox – ünïcode ✓', window_id: null },
  objects: { 'inbox.unread': 3, 'inbox.emails[0].subject': 'héllo 🌍' },
  actions: ACTIONS,
  probe_metadata: {
    capture_latency_ms: 1,
    labeling_latency_ms: 0,
    total_latency_ms: 1,
    raw_object_count: 2,
    filtered_object_count: 2,
    cache_hit: false,
    dom_tier_used: false,
    probe_tier: 'aso_fast',
  },
};

export const APPROVAL: Approval = {
  id: 'ask_01234567',
  asked_at: '2026-01-02T03:04:05.678Z',
  expires_at: '2026-01-02T03:05:45.678Z',
  key_id: 'key_1',
  key_label: 'agent',
  pid: PID,
  app_id: APP_ID,
  app_name: 'Inbox',
  action: 'archive',
  description: 'Archive a message.',
  binding: 'inbox#archive',
  signature: 'fn(id: string) -> void',
  reversibility: 'reversible_write',
  parameters: { id: '1' },
  verify_expression: null,
  already_true: null,
  earlier_runs: { count: 0, last_changed: [] },
  changes: [],
  change_count: 0,
};

export const SUMMARY: AppSummary = {
  pid: PID,
  app_id: APP_ID,
  app_name: 'Inbox',
  runtime: 'v8',
  runtime_name: 'Node.js 20',
  probe_status: 'active',
  confidence: 0.96,
  confidence_reason: 'Values of the program were seen to change.',
  object_count: 2,
  action_count: 1,
  last_captured_at: '2026-01-02T03:04:05.678Z',
  has_state: true,
  current_view: null,
  current_url: null,
};

const IDENTITY = { appId: SUMMARY.app_id, appName: SUMMARY.app_name, isForeign: false };

export const OUTCOME: VerifyResponse = {
  passed: true,
  expression: 'inbox.unread === 3',
  computed_value: true,
  explanation: 'inbox.unread is 3',
  latency_ms: 0,
  poll_cycles: 1,
  changed_fields: [],
  actual_value: 3,
  evaluated_at: '2026-01-02T03:04:05.678Z',
};

/** In pieces, cut within a character, as a service may do. */
function stateBytes(): Buffer[] {
  const text = Buffer.from(JSON.stringify(STATE));
  const cut = text.indexOf('é') + 1;
  return [text.subarray(0, cut), text.subarray(cut)];
}

export const reading = (): Reading => ({ captureId: CAPTURE_ID, bytes: stateBytes() });

export function lookAt({ objects, actions, ...facts }: SubstrateState): StateLook {
  const keys = new KeyList();
  for (const key of Object.keys(objects)) keys.add(key, pathPattern(key));
  return {
    facts,
    keys,
    get: (key) => objects[key],
    isShown: () => true,
    isScreen: () => false,
    salience: () => 1,
    hasAction: (name) => name in actions,
    actionTexts: () => [],
    closedActions: () => [],
  };
}

export function actionResult(fields: Partial<ActionResult['fields']> = {}): ActionResult {
  return {
    fields: {
      success: true,
      action_id: uuidv7(),
      action: 'archive',
      executed: true,
      runtime: 'v8',
      total_latency_ms: 4,
      message: 'done',
      verification: null,
      state_delta: null,
      raw_return: null,
      invocation_context: null,
      ...fields,
    },
    updatedState: stateBytes(),
    effect: null,
  };
}

export interface FakeService extends Service {
  readonly watchers: Set<Watcher>;
  /** Notifies all watchers; returns the capture id. */
  change(changedKeys: readonly string[]): string;
  exit(): void;
}

const attachmentOf = (pid: number, by_itself: boolean): Attachment => ({
  pid,
  app_id: APP_ID,
  origin: null,
  probe_status: by_itself ? 'active' : 'detached',
  by_itself,
  reason: by_itself ? 'it listens on a socket' : 'it was detached by hand',
  problem: null,
  given_up: false,
  verdict: by_itself ? 'The daemon is attached to it.' : 'It can be attached to.',
  cost: by_itself ? { search_ms: 40, poll_ms: 1.5, poll_interval_ms: 2000, stopped_by: null } : null,
  parts: [],
  discarded: {},
});

function known(pid: number | undefined): void {
  if (pid !== PID) throw new SubstrateError('not_found', `The process ${pid} is not tracked.`);
}

export function fakeService(overrides: Partial<Service> = {}): FakeService {
  const watchers = new Set<Watcher>();
  return {
    watchers,
    change(changedKeys) {
      const captureId = uuidv7();
      const event = { appId: APP_ID, captureId, changedKeys, timestamp: new Date().toISOString() };
      for (const watcher of watchers) watcher.onChange(event);
      return captureId;
    },
    exit() {
      for (const watcher of [...watchers]) watcher.onExit();
      watchers.clear();
    },
    trackedProcesses: () => 1,
    allow: (_app, permissions) => permissions.requireApp(IDENTITY),
    listApps: () => [SUMMARY],
    readState: async (pid, { known: tags }) => {
      known(pid);
      return tags.includes(CAPTURE_ID) ? { ...reading(), bytes: null } : reading();
    },
    readFromMemory: () => null,
    lookAt: async (pid) => {
      known(pid);
      return lookAt(STATE);
    },
    unmatched: async () => ({ appId: APP_ID, captureId: CAPTURE_ID, globs: [] }),
    ask: async (pid) => known(pid),
    trace: (pid, since) => {
      known(pid);
      const steps = since > 0 ? [] : [{ number: 1, depth: 0, step: 'attach', at_ms: 0.5, ms: 12 }];
      return { pid, app_id: APP_ID, found_at: new Date().toISOString(), revision: 1, steps };
    },
    attachments: () => [attachmentOf(PID, true)],
    attach: async (pid) => {
      known(pid);
      return attachmentOf(pid, true);
    },
    detach: async (pid) => {
      known(pid);
      return attachmentOf(pid, false);
    },
    readSchema: (pid) => {
      known(pid);
      return { pid, app_id: APP_ID, app_name: 'Inbox', schema_version: '1.0.0', actions: ACTIONS };
    },
    diff: (pid, since) => {
      known(pid);
      return {
        pid,
        app_id: APP_ID,
        capture_id: CAPTURE_ID,
        prev_capture_id: since,
        changed: [],
        added: [],
        removed: [],
      };
    },
    keyHistory: (pid, keys) => {
      known(pid);
      const { captured_at: at, objects } = STATE;
      const series = keys.map((key) => ({ key, points: key in objects ? [{ at, value: objects[key] ?? null }] : [] }));
      return { pid, app_id: APP_ID, capture_id: CAPTURE_ID, from: at, to: at, series };
    },
    verify: async () => OUTCOME,
    act: async (_request, { permissions }) => {
      permissions.requireScope('act');
      permissions.requireApp(IDENTITY);
      return actionResult();
    },
    openBrowser: async (_url, { permissions }) => {
      permissions.requireBrowser();
      return { pid: PID, app_id: APP_ID, app_name: 'Inbox', started: true, headless: true };
    },
    refuse: (_request, _options, error) => Promise.reject(error),
    approvals: () => [APPROVAL],
    decide: () => APPROVAL,
    exportSchema: (app_id) => ({ format: 'substrate-schema/1', app_id, app_name: 'Inbox', labels: [], actions: [] }),
    importSchema: ({ document: { app_id } }) => ({
      app_id,
      schema_version: '1.0.0',
      counts: { added: 0, changed: 0, unchanged: 0, conflict: 0, rejected: 0 },
      entries: [],
    }),
    learn: (pid) => {
      known(pid);
      return { accepted: 1, rejected: 0, new_schema_version: '1.0.1', message: 'ok' };
    },
    watch: (pid, watcher) => {
      known(pid);
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    ...overrides,
  };
}
