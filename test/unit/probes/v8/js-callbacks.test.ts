import { describe, expect, it } from 'vitest';
import { readReport } from '../../../../src/probes/drivers/v8/browser/report.ts';
import { readFunction } from '../../../../src/probes/drivers/v8/js/js-source.ts';
import { SOURCE_LIMIT } from '../../../../src/probes/drivers/v8/js/source-limit.ts';
import { NodeProbe } from '../../../../src/probes/drivers/v8/node/node-probe.ts';

/** The parameters of its action; null if there is none. */
function offered(source: string): string[] | null {
  const { parameters, callbackAt } = readFunction(source);
  return callbackAt < 0 ? parameters.map(({ name }) => name) : null;
}

describe('a parameter that the source calls', () => {
  it.each([
    'save(id, cb) { cb(); }',
    'save(id, callback) { this.items.delete(id); callback(null, id); }',
    'save(id, fn) { fn.call(this, id); }',
    'save(id, fn) { return fn.apply(this, arguments); }',
    'save(id, work) { return work.bind(this); }',
    'save(req, res, next) { next(); }',
    'function save(id, done) { done(); }',
    'async save(fn) { return await fn(); }',
    'save(Type) { return new Type(); }',
    'work => work()',
    'save(id, cb) { setTimeout(function () { cb(id); }, 10); }',
    'save(id, cb) { return this.read(id).then((found) => cb(null, found)); }',
    'save(id, whenSaved) { this.store.write(id, () => { whenSaved(); }); }',
    'save({ id, onDone }) { onDone(id); }',
    'save(cb) { var cb; cb(); }',
    'save(cb = null) { cb(); }',
    'save(cb = undefined) { cb(); }',
    'save(cb) { cb = cb || null; cb(); }',
    'save(options, cb) { if (typeof options === "function") { cb = options; options = {}; } cb(options); }',
  ])('makes no action: %s', (source) => {
    expect(offered(source)).toBeNull();
  });

  it.each([
    'watch(heard) { this.bus.on("change", heard); }',
    'watch(heard) { this.bus.once("change", heard); }',
    'watch(heard) { window.addEventListener("change", heard, true); }',
    'load(shown, failed) { this.read().then(shown, failed); }',
    'load(failed) { this.read().catch(failed); }',
    'later(work) { setTimeout(work, 10); }',
    'later(work) { process.nextTick(work); }',
    'each(visit) { this.items.forEach(visit); }',
    'each(make) { return this.items.map(make); }',
  ])('makes none when it is passed on to what calls it: %s', (source) => {
    expect(offered(source)).toBeNull();
  });

  it.each(['cb', 'fn', 'callback', 'done', 'next', 'resolve', 'reject', 'listener', 'doneCallback', '_cb'])(
    'makes none when %s is passed on to anything',
    (name) => {
      expect(offered(`save(id, ${name}) { this.store.write(id, ${name}); }`)).toBeNull();
      expect(offered(`save(id, ${name}) { return new Job(id, ${name}); }`)).toBeNull();
    },
  );

  it.each([
    'watch(listener) { this.listeners.add(listener); }',
    'watch(callback) { this.whenChanged = callback; }',
    'save(id, cb) { this.queue.push({ id, cb }); }',
    'save(id, cb) { this.queue = [id, cb]; }',
    'save(id, cb) { const told = cb; told(); }',
  ])('makes none when it is kept: %s', (source) => {
    expect(offered(source)).toBeNull();
  });
});

describe('a callback that may be left out', () => {
  it.each([
    'if (cb) cb();',
    'if (cb) { setTimeout(() => cb(null, id), 10); }',
    'cb && cb(id);',
    'id && cb && cb(id);',
    'return cb ? cb(id) : id;',
    'cb?.();',
    'cb?.call(this, id);',
    'typeof cb === "function" && cb();',
    'if (typeof cb == "function") cb.apply(this, [id]);',
    'if ("function" === typeof cb) this.bus.on("saved", cb);',
    'if (typeof cb !== "undefined") cb();',
    'if (cb !== undefined) cb();',
    'if (cb != null) cb();',
    'if (cb instanceof Function) cb();',
    'if (_.isFunction(cb)) cb();',
    'if (!!cb) cb();',
    'if (!cb) return; cb();',
    'if (!cb) { this.log(id); return id; } this.read(id, (found) => cb(found));',
    'if (typeof cb !== "function") throw new TypeError("no"); cb();',
    'if (!id || !cb) return; cb();',
    'if (!cb) this.log(id); else cb();',
    'cb = cb || function () {}; cb();',
    'cb = cb ?? noop; cb();',
    'var cb = cb || noop; cb();',
    'cb ||= () => {}; cb();',
    'cb = typeof cb === "function" ? cb : this.ignore; cb();',
    'if (!cb) cb = noop; cb();',
    'if (typeof cb !== "function") { cb = () => {}; } cb();',
    'if (cb) this.store.write(id, cb);',
  ])('is no parameter of the action: %s', (body) => {
    expect(offered(`save(id, cb) { ${body} }`)).toEqual(['id']);
  });

  it.each(['cb = () => {}', 'cb = function () {}', 'cb = noop', 'cb = this.ignore'])('nor with a default: %s', (cb) => {
    expect(offered(`save(id, ${cb}) { cb(id); }`)).toEqual(['id']);
  });

  it('is told from one that is called without a look at another place', () => {
    expect(offered('save(cb) { if (cb) cb(); this.then(() => { cb(); }); }')).toBeNull();
    expect(offered('save(cb) { if (cb || this.loud) cb(); }')).toBeNull();
    expect(offered('save(cb) { if (!cb && this.loud) return; cb(); }')).toBeNull();
    expect(offered('save(cb) { if (cb !== null) cb(); }')).toBeNull();
    expect(offered('save(cb, id) { if (id) cb(); }')).toBeNull();
  });

  it('stays in the way where other parameters follow it', () => {
    expect(offered('save(cb, id) { if (cb) cb(id); }')).toBeNull();
    expect(offered('save(id, progress, cb) { progress?.(); if (cb) cb(id); }')).toEqual(['id']);
  });

  it('is not told of among options', () => {
    expect(readFunction('save({ id, onDone }) { if (onDone) onDone(id); }')).toMatchObject({
      callbackAt: -1,
      parameters: [{ name: 'options', description: 'with id' }],
    });
  });
});

describe('data', () => {
  it.each<[string, string[]]>([
    ['setDone(id, done) { this.tasks.get(id).done = done; }', ['id', 'done']],
    ['setDone(id, done = false) { this.store.write(id, done); }', ['id', 'done']],
    ['setDone(id, done) { if (done === true) this.count++; this.store.write(id, done); }', ['id', 'done']],
    ['go(next) { this.log(next.id); this.enter(next); }', ['next']],
    ['add(item) { this.items.push(item); }', ['item']],
    ['wait(ms) { setTimeout(() => this.ring(), ms); }', ['ms']],
    ['light(on) { this.lamp.on(on); }', ['on']],
    ['name(text) { return text.trim().split(",").map((part) => part()); }', ['text']],
    ['own(id) { return new Promise((resolve) => { resolve(id); }); }', ['id']],
    ['own(cb) { return [1].map(function (cb) { return cb(); }); }', ['cb']],
    ['set(state, value) { this.state = typeof value === "function" ? value(this.state) : value; }', ['state', 'value']],
    ['set(next) { this.state = typeof next === "function" ? next(this.state) : next; }', ['next']],
    ['set(fn) { this.fn.fn = 1; }', ['fn']],
  ])('stays a parameter: %s', (source, parameters) => {
    expect(offered(source)).toEqual(parameters);
  });
});

describe('a source that cannot be read', () => {
  const long = (head: string) => `${head} { ${'this.a();'.repeat(SOURCE_LIMIT)} cb(); }`.slice(0, SOURCE_LIMIT);

  it('makes no action when it has parameters', () => {
    for (const head of ['save(id, cb)', 'function (cb)', 'async cb =>', '(cb) =>', 'cb => save()'])
      expect(offered(long(head))).toBeNull();
  });

  it('makes one when it has none', () => {
    for (const head of ['save()', 'function save( )', 'async () =>', 'async *save()', '#save()'])
      expect(offered(long(head))).toEqual([]);
    expect(offered('function () { [native code] }')).toEqual([]);
  });
});

describe('the actions of a program', () => {
  const report = {
    leaves: { kind: 'same' },
    roots: null,
    rawCount: 0,
    coverage: 1,
    isSearching: false,
    unseen: 'nothing',
    hasMuchLeft: false,
    waitsFor: null,
    heapScanned: false,
    spentMs: 0,
    costMs: 0,
    stoppedBy: null,
    stopped: false,
  };
  const methods = [
    { binding: 'shop#save', source: 'save(id, cb) { this.write(id, () => cb(id)); }' },
    { binding: 'shop#load', source: 'load(id, cb) { if (cb) cb(id); }' },
  ];

  it('are without those of a process that want a function, unless somebody else gives it', async () => {
    const answer = {
      ...report,
      actions: [0, 2].flatMap((given) =>
        methods.map(({ binding, source }) => ({
          binding: `${binding}${given}`,
          source,
          accessors: [],
          className: null,
          given,
        })),
      ),
    };
    const channel = { call: () => Promise.resolve(answer), close: () => Promise.resolve(), closed: Promise.resolve() };
    const capture = { depth: 'fast', full: true, signal: AbortSignal.timeout(5_000) } as const;
    const { actions } = await new NodeProbe(channel, 10).capture(capture);
    expect(actions?.map(({ name, parameters }) => [name, ...parameters.map((parameter) => parameter.name)])).toEqual([
      ['shop.load0', 'id'],
      ['shop.save2'],
      ['shop.load2'],
    ]);
  });

  it('tell what they returned as the message quotes it, so that it can be hidden by its name', async () => {
    const actions = methods.map(({ binding, source }) => ({
      binding,
      source,
      accessors: [],
      className: null,
      given: 2,
    }));
    const channel = {
      call: ({ op }: { op: string }) =>
        Promise.resolve(op === 'capture' ? { ...report, actions } : { ok: true, dispatched: true, text: 'hunter2' }),
      close: () => Promise.resolve(),
      closed: Promise.resolve(),
    };
    const signal = AbortSignal.timeout(5_000);
    const probe = new NodeProbe(channel, 10);
    await probe.capture({ depth: 'fast', full: true, signal });
    expect(await probe.invoke('shop#load', {}, signal)).toMatchObject({
      message: 'shop.load returned hunter2',
      quoted: 'hunter2',
      rawReturn: null,
    });
  });

  it('are without those of a page that want a function', () => {
    const told = { description: '', parameters: [], effect: 'unknown' };
    const actions = methods.map((method) => ({ ...told, ...method, name: method.binding }));
    expect(readReport(JSON.stringify({ ...report, actions }), 10)).toMatchObject({
      actions: [{ name: 'shop#load', parameters: [{ name: 'id' }] }],
    });
  });
});
