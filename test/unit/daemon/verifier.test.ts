import { describe, expect, it } from 'vitest';
import { ActionRunner } from '../../../src/daemon/action-runner.ts';
import { waitFor } from '../../../src/daemon/verifier.ts';
import { EVERYTHING } from '../../../src/model/permissions.ts';
import type { ActionRequest } from '../../../src/model/wire.ts';
import { compilePredicate } from '../../../src/semantic/predicate/predicate.ts';
import { FakeProbe, fakeSession } from '../../support/fake-probe.ts';

async function sessionWith(probe: FakeProbe) {
  const session = fakeSession();
  session.useProbe(probe);
  await session.cold(1000);
  return session;
}

const signal = new AbortController().signal;

describe('waiting for a predicate', () => {
  it('is content with the cached state when it holds there', async () => {
    const probe = new FakeProbe();
    const session = await sessionWith(probe);
    const before = probe.captures;
    const since = session.requireHead().captureId;
    const { outcome } = await waitFor(compilePredicate('count === 1'), session, {
      timeoutMs: 100,
      intervalMs: 20,
      signal,
      since,
      cachedFirst: true,
    });
    expect(outcome).toMatchObject({ passed: true, poll_cycles: 1, changed_fields: [] });
    expect(probe.captures).toBe(before);
  });

  it('reads the state anew at once, however short the time is', async () => {
    const probe = new FakeProbe();
    const session = await sessionWith(probe);
    const since = session.requireHead().captureId;
    probe.state = { count: 2 };
    const { outcome } = await waitFor(compilePredicate('count === 2'), session, {
      timeoutMs: 1,
      intervalMs: 100,
      signal,
      since,
      cachedFirst: true,
    });
    expect(outcome).toMatchObject({
      passed: true,
      poll_cycles: 2,
      changed_fields: [{ path: 'count', before: 1, after: 2 }],
    });
  });

  it('looks once more at the deadline', async () => {
    const probe = new FakeProbe();
    const session = await sessionWith(probe);
    const since = session.requireHead().captureId;
    setTimeout(() => {
      probe.state = { count: 2 };
    }, 50);
    const { outcome } = await waitFor(compilePredicate('count === 2'), session, {
      timeoutMs: 100,
      intervalMs: 10_000,
      signal,
      since,
      cachedFirst: false,
    });
    expect(outcome.passed).toBe(true);
  });

  const wait = (timeoutMs: number, since: string, cachedFirst = false) => ({
    timeoutMs,
    intervalMs: 5,
    signal,
    since,
    cachedFirst,
  });

  it('makes no second look when the first took all of the time', async () => {
    const probe = new FakeProbe();
    const session = await sessionWith(probe);
    const { captureId } = session.handOut();
    const before = probe.captures;
    const capture = probe.capture.bind(probe);
    probe.capture = async (request) => {
      await new Promise((resolve) => setTimeout(resolve, 60));
      return capture(request);
    };
    await waitFor(compilePredicate('count === 2'), session, wait(20, captureId));
    expect(probe.captures - before).toBe(1);
  });

  it('says when there are more changes than it tells', async () => {
    const probe = new FakeProbe();
    const session = await sessionWith(probe);
    const { captureId } = session.handOut();
    probe.state = Object.fromEntries(Array.from({ length: 1500 }, (_, at) => [`key${at}`, at]));
    const { outcome } = await waitFor(compilePredicate('key1 === 1'), session, wait(30_000, captureId));
    expect(outcome.changed_fields).toHaveLength(1000);
    expect(outcome.explanation).toMatch(/ changed_fields holds 1000 of 1501 changes\.$/);
  });

  it('says when a value is not all of what the app has', async () => {
    const probe = new FakeProbe();
    probe.state = { note: `${'x'.repeat(4096)}… [5000 characters]`, password: 'hunter2' };
    const session = await sessionWith(probe);
    const { captureId } = session.handOut();
    const explain = async (expression: string) =>
      (await waitFor(compilePredicate(expression), session, wait(1, captureId, true))).outcome.explanation;
    expect(await explain('note.length === 5000')).toContain(
      'note is a long text of which only the beginning is known.',
    );
    expect(await explain('password === "hunter2"')).toContain('password is a secret and was redacted.');
  });

  it.each([
    ['nothing', false],
    ['something at each look', true],
  ])('leaves captures known that were handed out before, where %s changes', async (_, changes) => {
    const probe = new FakeProbe();
    const session = await sessionWith(probe);
    const { captureId } = session.handOut();
    const capture = probe.capture.bind(probe);
    probe.capture = async (request) => {
      if (changes) probe.state = { count: probe.captures + 10 };
      return capture(request);
    };
    // Far more than the ten changes that this session keeps.
    for (let round = 0; round < 2 || probe.captures <= 20; round++) {
      await waitFor(compilePredicate('count === -1'), session, wait(300, session.handOut().captureId, true));
    }
    expect(session.diff(captureId)?.changed.map(({ path }) => path)).toEqual(changes ? ['count'] : []);
  });

  it('does not take the state of before for proof', async () => {
    const probe = new FakeProbe();
    probe.actions = [
      { binding: 'count#pay', name: 'pay', parameters: [], returns: 'void', effect: 'unknown', description: '' },
    ];
    const session = await sessionWith(probe);
    probe.onInvoke = () => {
      probe.failure = new Error('the app does not answer');
    };
    const request: ActionRequest = {
      pid: 1,
      action: 'pay',
      parameters: {},
      verify_expression: 'count === 1',
      verify_timeout_ms: 100,
      fresh_state: false,
    };
    const predicate = compilePredicate('count === 1');
    const { fields } = await new ActionRunner().run({
      request,
      predicate,
      session,
      app: { appId: session.appId, appName: 'shop', isForeign: false },
      options: {
        keyId: 'key-1',
        keyLabel: null,
        permissions: EVERYTHING,
        permissionsNow: () => EVERYTHING,
        signal,
        spendSnapshot: () => {},
      },
      ifMatch: null,
      confirmed: null,
      onDispatch: () => {},
    });
    expect(fields).toMatchObject({ executed: true, success: false, verification: { passed: false } });
    expect(fields.verification?.explanation).toContain('the app does not answer');
  });

  it('leaves nothing on the signal that it was given', async () => {
    const probe = new FakeProbe();
    const session = await sessionWith(probe);
    const since = session.requireHead().captureId;
    const warnings: string[] = [];
    const note = (warning: Error) => warnings.push(warning.name);
    process.on('warning', note);
    await waitFor(compilePredicate('count === 2'), session, {
      timeoutMs: 200,
      intervalMs: 5,
      signal: new AbortController().signal,
      since,
      cachedFirst: true,
    });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });
});
