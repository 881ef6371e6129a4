import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { AppTrace } from '../../../src/daemon/app-trace.ts';
import { problemOf, traced } from '../../../src/model/trace.ts';
import { traceStep } from '../../../src/model/wire.ts';

function setUp() {
  const logged: { readonly message: string; readonly fields: Record<string, unknown> }[] = [];
  const trace = (fields: object, message: string) => void logged.push({ message, fields: { ...fields } });
  const log = { trace, debug() {}, info() {}, warn() {}, error() {} };
  const app = new AppTrace({ pid: 7, appId: 'shop-1', log });
  const shown = () => app.read(0).steps.map(({ step, depth }) => `${'  '.repeat(depth)}${step}`);
  return { app, logged, shown };
}

describe('the steps of an app', () => {
  it('nest as they were taken, with the time that each took', async () => {
    const { app, logged, shown } = setUp();
    await traced(app, 'attach', async () => {
      app.note('SIGUSR1 sent', { pid: 7 });
      await traced(app, 'hello', async () => {
        const call = app.call('hello', { id: 1 });
        await delay(5);
        call.end({ sent: 10, received: 20 });
      });
    });
    expect(shown()).toEqual(['attach', '  SIGUSR1 sent', '  hello', '    hello']);
    const steps = app.read(0).steps.map((step) => traceStep.parse(step));
    expect(steps.at(-1)).toMatchObject({ id: 1, sent: 10, received: 20 });
    const [attach, , hello, call] = steps;
    expect(attach?.ms).toBeGreaterThanOrEqual(hello?.ms ?? Number.POSITIVE_INFINITY);
    expect(call?.ms).toBeGreaterThan(0);
    expect(logged.map(({ message }) => message)).toEqual(['SIGUSR1 sent', 'hello', 'hello', 'attach']);
    expect(logged[0]?.fields).toMatchObject({ pid: 7, app_id: 'shop-1', depth: 1 });
  });

  it('say what failed, and calls that run side by side are no parts of each other', async () => {
    const { app, shown } = setUp();
    const attach = app.begin('attach');
    const [one, other] = [app.call('Runtime.enable', { id: 1 }), app.call('Page.enable', { id: 2 })];
    other.end();
    one.fail(new Error('no answer'));
    one.end({ received: 5 });
    attach.fail(new Error('gone'));
    expect(shown()).toEqual(['attach', '  Runtime.enable', '  Page.enable']);
    expect(app.read(0).steps.map(({ problem }) => problem)).toEqual(['gone', 'no answer', undefined]);
  });

  it('are folded where captures find nothing new, and logged once', () => {
    const { app, logged, shown } = setUp();
    const poll = (isSame: boolean) => {
      const step = app.beginRoutine('capture');
      app.call('capture', { id: 1 }).end({ received: 9 });
      if (isSame) step.endSame({ result: 'nothing new' });
      else step.end({ result: 'changes' });
    };
    for (let count = 0; count < 1000; count++) poll(true);
    expect(shown()).toEqual(['capture']);
    expect(app.read(0).steps).toMatchObject([{ times: 1000, result: 'nothing new' }]);
    expect(logged).toHaveLength(1);
    poll(false);
    poll(true);
    expect(shown()).toEqual(['capture', 'capture', '  capture', 'capture']);
    expect(logged.map(({ fields }) => [fields.result, fields.times])).toEqual([
      ['nothing new', undefined],
      ['nothing new', 1000],
      [undefined, undefined],
      ['changes', undefined],
      ['nothing new', undefined],
    ]);
  });

  it('have an end: the oldest go first, and of one step some parts are kept', () => {
    const { app } = setUp();
    for (let count = 0; count < 2000; count++) app.note(`step ${count}`);
    const { steps } = app.read(0);
    expect(steps.length).toBeLessThanOrEqual(500);
    expect(steps.at(-1)?.step).toBe('step 1999');
    const attach = app.begin('attach');
    for (let count = 0; count < 1000; count++) app.call('Runtime.evaluate').end();
    attach.end();
    expect(app.read(0).steps.find(({ step }) => step === 'attach')?.omitted).toBe(800);
    expect(app.read(0).steps.length).toBeLessThanOrEqual(500);
  });

  it('are reported once: whoever asks again gets what is new or has ended', () => {
    const { app } = setUp();
    const attach = app.begin('attach');
    const first = app.read(0);
    expect(first.steps).toMatchObject([{ step: 'attach', ms: null }]);
    expect(app.read(first.revision).steps).toEqual([]);
    app.note('SIGUSR1 sent');
    attach.end();
    const second = app.read(first.revision);
    expect(second.steps.map(({ step }) => step)).toEqual(['attach', 'SIGUSR1 sent']);
    expect(second.steps[0]?.ms).not.toBeNull();
  });

  it('leave out messages between steps, unless one fails', () => {
    const { app, shown } = setUp();
    app.call('Runtime.callFunctionOn').end();
    app.call('Page.enable').fail(new Error('refused'));
    expect(shown()).toEqual(['Page.enable']);
  });

  it('count a failure that comes again', () => {
    const { app } = setUp();
    for (let count = 0; count < 50; count++) app.ignored('wait for a change', new Error('no agent'));
    expect(app.read(0).steps).toMatchObject([{ step: 'wait for a change', problem: 'no agent', times: 50 }]);
  });
});

describe('a problem in a trace', () => {
  it('has no quoted text and no query', () => {
    const parsing = () => {
      try {
        return JSON.parse('alice@example.org');
      } catch (error) {
        return problemOf(error);
      }
    };
    expect(parsing()).toMatch(/^SyntaxError: /);
    expect(parsing()).not.toContain('alice');
    expect(problemOf(new Error('no answer of http://127.0.0.1:9222/json?token=abc'))).toBe(
      'no answer of http://127.0.0.1:9222/json?…',
    );
    expect(problemOf(Object.assign(new Error('connect failed'), { code: 'ECONNREFUSED' }))).toBe(
      'ECONNREFUSED: connect failed',
    );
    expect(problemOf('x'.repeat(5000)).length).toBeLessThanOrEqual(400);
  });
});
