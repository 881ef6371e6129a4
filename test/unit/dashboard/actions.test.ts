import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ActionParameter,
  type ActionResponse,
  ConnectionError,
  type ErrorCode,
  type Reversibility,
  SubstrateError,
} from '../../../src/client/index.ts';
import { checkConfidence } from '../../../src/daemon/action-gates.ts';
import type { Attempt } from '../../../src/dashboard/actions/action-store.ts';
import { type DraftKind, kindsOf, readDrafts } from '../../../src/dashboard/actions/argument-drafts.ts';
import { CONFIDENCE_NEEDED, gatesOf } from '../../../src/dashboard/actions/gates.ts';
import { prepare } from '../../../src/dashboard/actions/order.ts';
import { outcomeOfError, outcomeOfResponse } from '../../../src/dashboard/actions/outcome.ts';
import { fakeSession } from '../../support/fake-probe.ts';

const parameter = (given: Partial<ActionParameter>): ActionParameter => ({
  name: 'p',
  type_name: 'string',
  required: true,
  ...given,
});
const UNTYPED = 'type not known: any JSON value is passed on';

/** The result of one field: its value, its problem, or that it is left out. */
function sent(given: Partial<ActionParameter>, text: string, kind: DraftKind = 'value') {
  const { values, problems } = readDrafts([parameter(given)], { p: { kind, text } });
  return problems.p === undefined ? ('p' in values ? { value: values.p } : 'left out') : problems.p;
}

describe('what is typed into the form of an action', () => {
  it('is read as the parameter is typed', () => {
    expect(sent({}, '3')).toEqual({ value: '3' });
    expect(sent({ type_name: 'number' }, ' -2.5e3 ')).toEqual({ value: -2500 });
    expect(sent({ type_name: 'boolean' }, 'false')).toEqual({ value: false });
    expect(sent({ type_name: 'array' }, '[1, "a"]')).toEqual({ value: [1, 'a'] });
    expect(sent({ type_name: 'object' }, '{"a": null}')).toEqual({ value: { a: null } });
  });

  it('is said to be wrong before it is sent', () => {
    expect(sent({ type_name: 'number' }, 'three')).toMatch(/not a number/);
    expect(sent({ type_name: 'number' }, '0x10')).toMatch(/not a number/);
    expect(sent({ type_name: 'number' }, '1e999')).toMatch(/too large/);
    expect(sent({ type_name: 'array' }, '[1,')).toMatch(/not JSON/);
    expect(sent({ type_name: 'array' }, '{}')).toMatch(/This is object\. Expected a JSON list/);
    expect(sent({ type_name: 'object' }, 'null')).toMatch(/This is null/);
    expect(sent({ type_name: 'number' }, '')).toMatch(/^Needed/);
  });

  it('is left out when it is optional and empty', () => {
    expect(sent({ required: false }, '')).toBe('left out');
    expect(sent({ required: false }, '', 'empty')).toEqual({ value: '' });
    expect(sent({}, '')).toEqual({ value: '' });
    expect(sent({ type_name: 'number', required: false }, ' ')).toBe('left out');
  });

  it('may be any JSON where nobody knows the type, and null, of which the daemon says whether it is taken', () => {
    expect(kindsOf(parameter({}))).toEqual(['value', 'null']);
    expect(kindsOf(parameter({ required: false }))).toEqual(['value', 'empty', 'null']);
    expect(kindsOf(parameter({ description: UNTYPED }))).toEqual(['value', 'json', 'null']);
    expect(kindsOf(parameter({ type_name: 'object' }))).toEqual(['value', 'null']);
    expect(sent({ description: UNTYPED }, '{"a":1}', 'json')).toEqual({ value: { a: 1 } });
    expect(sent({}, 'whatever', 'null')).toEqual({ value: null });
  });

  it('may be what only the runtime can judge', () => {
    expect(sent({ type_name: 'number' }, '9007199254740993')).toEqual({ value: '9007199254740993' });
    expect(sent({ type_name: 'object' }, '[ref] shop')).toEqual({ value: '[ref] shop' });
    expect(sent({ type_name: 'array' }, '{"$ref":"a"}')).toEqual({ value: { $ref: 'a' } });
  });

  it('gives back every JSON value, under any name', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.jsonValue(), (name, value) => {
        const parameters = [parameter({ name, description: UNTYPED })];
        const drafts = Object.fromEntries([[name, { kind: 'json' as const, text: JSON.stringify(value) }]]);
        const { values, problems } = readDrafts(parameters, drafts);
        expect(Object.keys(problems)).toEqual([]);
        expect(JSON.stringify(values[name])).toBe(JSON.stringify(value));
      }),
    );
  });
});

describe('the gates that are shown', () => {
  const action = (reversibility: Reversibility) => ({
    signature: 'fn() -> unknown',
    reversibility,
    description: '',
    confidence: 0.97,
    parameters: [],
  });

  it.each(Object.entries(CONFIDENCE_NEEDED) as [Reversibility, number][])(
    'are those of the daemon: %s needs %d',
    (reversibility, needed) => {
      const session = fakeSession();
      const check = (confidence: number) => {
        const schema = { ...action(reversibility), confidence };
        const names = { rawName: 'a', binding: 'a', by: undefined, inferredConfidence: confidence };
        checkConfidence({ schema, ...names, untyped: new Set(), checked: new Set() }, null, session, 'key-1');
      };
      expect(() => check(needed)).not.toThrow();
      expect(() => check(needed - 0.001)).toThrow(/confidence/);
    },
  );

  it('ask for a proof where there is no way back', () => {
    expect(gatesOf({ ...action('reversible_write'), confidence: 0.97 }, '').map(({ isOpen }) => isOpen)).toEqual([
      true,
    ]);
    expect(gatesOf({ ...action('irreversible_write'), confidence: 0.97 }, ' ').map(({ isOpen }) => isOpen)).toEqual([
      true,
      false,
    ]);
    expect(gatesOf({ ...action('irreversible_write'), confidence: 0.97 }, 'a').map(({ isOpen }) => isOpen)).toEqual([
      true,
      true,
    ]);
  });

  it('say what is missing, and do not round it away', () => {
    const [gate] = gatesOf({ ...action('irreversible_write'), confidence: 0.9499 }, 'a');
    expect(gate).toMatchObject({ isOpen: false, text: 'Confidence 0.94, 0.95 needed' });
    expect(gate?.remedy).toMatch(/name/);
    expect(gatesOf({ ...action('reversible_read'), confidence: 0.57 }, '')[0]?.text).toBe(
      'Confidence 0.57, 0.40 needed',
    );
  });
});

describe('what is sent', () => {
  const schema = {
    signature: 'fn(count: number) -> unknown',
    reversibility: 'irreversible_write' as const,
    description: '',
    confidence: 0.97,
    parameters: [parameter({ name: 'count', type_name: 'number' })],
  };
  const attempt = (given: Partial<Attempt>): Attempt => ({
    action: 'a',
    drafts: { count: { kind: 'value', text: '3' } },
    verify: 'n === 3',
    timeoutText: '500',
    looksBefore: false,
    ...given,
  });

  it('is there when everything is', () => {
    expect(prepare(attempt({}), schema).order).toEqual({
      values: { count: 3 },
      verify: { expression: 'n === 3', timeoutMs: 500 },
    });
  });

  it('waits for what is missing or wrong', () => {
    expect(prepare(attempt({ verify: ' ' }), schema).order).toBeNull();
    expect(prepare(attempt({ drafts: {} }), schema)).toMatchObject({
      order: null,
      problems: { count: expect.stringContaining('Needed') },
    });
    expect(prepare(attempt({ timeoutText: '50' }), schema)).toMatchObject({ order: null });
    expect(prepare(attempt({ timeoutText: '1.5e3' }), schema).order?.verify?.timeoutMs).toBe(1500);
    expect(prepare(attempt({}), { ...schema, confidence: 0.9 }).order).toBeNull();
  });

  it('is left to the daemon where a new look may raise the confidence', () => {
    expect(prepare(attempt({ looksBefore: true }), { ...schema, confidence: 0.9 }).order).not.toBeNull();
  });
});

describe('what came of a run', () => {
  const response = (given: Partial<ActionResponse>): ActionResponse => ({
    success: true,
    action_id: 'i',
    action: 'a',
    executed: true,
    runtime: 'v8',
    total_latency_ms: 1,
    message: 'a ran.',
    verification: null,
    updated_state: null,
    state_delta: null,
    raw_return: null,
    invocation_context: null,
    ...given,
  });
  const verification = {
    passed: false,
    expression: 'x',
    computed_value: false,
    explanation: 'x is false.',
    latency_ms: 1,
    poll_cycles: 1,
    changed_fields: [],
  };
  const error = (code: ErrorCode, beside: object = {}) =>
    new SubstrateError(400, { error: { code, message: 'm', request_id: 'r-7' }, ...beside });

  it('is told apart', () => {
    expect(outcomeOfResponse(response({}), new Set()).verdict).toBe('success');
    expect(outcomeOfResponse(response({ success: false }), new Set()).verdict).toBe('failed');
    expect(outcomeOfResponse(response({ success: false, verification }), new Set()).verdict).toBe('unverified');
    expect(outcomeOfError(error('confidence_too_low', { executed: false }), false)).toMatchObject({
      verdict: 'refused',
      code: 'confidence_too_low',
      advice: expect.stringContaining('another key'),
    });
    expect(outcomeOfError(error('action_timeout', { executed: true }), false).verdict).toBe('unknown');
    expect(outcomeOfError(new ConnectionError('gone'), false).verdict).toBe('unknown');
    expect(outcomeOfError(new Error('aborted'), true)).toMatchObject({
      verdict: 'unknown',
      advice: expect.any(String),
    });
    expect(outcomeOfError(error('internal'), false).advice).toContain('r-7');
  });

  it('says of what changed whether it is new, gone, or null', () => {
    const { response: told } = outcomeOfResponse(
      response({
        state_delta: {
          count: { before: 1, after: 2 },
          fresh: { before: null, after: 'a' },
          freshNull: { before: null, after: null },
          wasNull: { before: null, after: 3 },
          gone: { before: 4, after: null },
          nowNull: { before: 5, after: null },
        },
        updated_state: {
          capture_id: 'c',
          app_id: 'a',
          app_name: 'a',
          pid: 1,
          runtime: 'v8',
          schema_version: '1',
          captured_at: '2026-01-02T03:04:05.000Z',
          confidence_reason: '',
          confidence: 1,
          context: { url: null, location: null, view: null, window_title: null, window_id: null },
          objects: { count: 2, fresh: 'a', freshNull: null, wasNull: 3, nowNull: null },
          actions: {},
          probe_metadata: {
            capture_latency_ms: 1,
            labeling_latency_ms: 1,
            total_latency_ms: 2,
            raw_object_count: 5,
            filtered_object_count: 5,
            cache_hit: false,
            dom_tier_used: false,
            probe_tier: 'aso_fast',
          },
        },
      }),
      new Set(['wasNull']),
    );
    expect(told?.changes).toEqual([
      { path: 'count', before: 1, after: 2 },
      { path: 'fresh', before: undefined, after: 'a' },
      { path: 'freshNull', before: undefined, after: null },
      { path: 'wasNull', before: null, after: 3 },
      { path: 'gone', before: 4, after: undefined },
      { path: 'nowNull', before: 5, after: null },
    ]);
  });
});
