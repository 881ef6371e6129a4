import { describe, expect, it } from 'vitest';
import type { LeafRoot } from '../../../src/model/leaves.ts';
import type { Scalar } from '../../../src/model/scalar.ts';
import { Engine } from '../../../src/semantic/engine.ts';
import { GOOD_CONFIDENCE } from '../../../src/semantic/state-confidence.ts';

const module = (name: string, more: Partial<LeafRoot> = {}): LeafRoot => ({
  name,
  origin: `module /srv/app/${name}.js`,
  mangled: false,
  ...more,
});

function engineOf(state: Record<string, Scalar>, roots?: readonly LeafRoot[]): Engine {
  const names = new Set(Object.keys(state).map((path) => path.split(/[.[]/)[0] ?? ''));
  const engine = new Engine('shop-00000000', 'shop', null);
  const full = { kind: 'full', paths: Object.keys(state), values: Object.values(state) } as const;
  engine.apply(full, roots ?? [...names].map((name) => module(name)));
  return engine;
}

const kindsOf = (engine: Engine) =>
  [...engine.table.keys()].map((key) => engine.salience.kind(key.replace(/\[\d+\]/g, '[*]')));
const table = (name: string, entries: Record<string, Scalar>) =>
  Object.fromEntries(Object.entries(entries).map(([key, value]) => [`${name}.${key}`, value]));

describe('constants', () => {
  it.each<[string, Record<string, Scalar>]>([
    [
      'an enumeration',
      { 'log.Level["0"]': 'Debug', 'log.Level["1"]': 'Info', 'log.Level.Debug': 0, 'log.Level.Info': 1 },
    ],
    ['one with a negative value', { 'log.Tie["-1"]': 'Opponent', 'log.Tie.Opponent': -1 }],
    ['names in capitals', table('api.Type', { ACCESSORY: 'a', PLATFORM: 'p', BRIDGE: 'b' })],
    ['texts that are their own names', table('api.Event', { didLaunch: 'did-launch', didClose: 'did-close' })],
    ['values that are counted', table('bus.kind', { invalid: 0, call: 1, answer: 2, error: 3, signal: 4 })],
    [
      'a set that was written down',
      table('sign.known', { y: true, b: true, n: true, q: true, i: true, u: true, t: true, d: true }),
    ],
    ['patterns', { 'dns.numbered': '/^(.*) \\((\\d+)\\)$/', 'dns.ascii': '/[A-Z]/' }],
    ['a module of constants', { 'app_constants.retries': 3, 'app_constants.host': 'localhost' }],
  ])('are %s', (_, state) => {
    const engine = engineOf(state);
    expect(new Set(kindsOf(engine))).toEqual(new Set(['constant']));
    expect(engine.judge()).toEqual({ confidence: 0.25, reason: 'Found constants only.' });
  });

  it.each<[string, Record<string, Scalar>]>([
    ['a few counters', table('stats', { hits: 0, misses: 1, errors: 2 })],
    ['flags', table('door', { open: true, locked: true })],
    ['a path', { 'conf.folder': '/srv/data/' }],
    ['a queue', { 'shop.queue.length': 1, 'shop.queue[0].customer': 'Ada' }],
  ])('are not %s', (_, state) => {
    expect(new Set(kindsOf(engineOf(state)))).toEqual(new Set(['plain']));
  });

  it('are found when their halves come with different captures, in either order', () => {
    const engine = engineOf({ 'log.Level.Debug': 0, 'log.title': 'Journal' });
    expect(kindsOf(engine)).toEqual(['plain', 'plain']);
    const added = [
      [2, 'log.Level["0"]', 'Debug'],
      [3, 'log.Level["1"]', 'Info'],
      [4, 'log.Level.Info', 1],
    ] as const;
    engine.apply({ kind: 'delta', changed: [], added, removed: [] }, null);
    expect(kindsOf(engine)).toEqual(['constant', 'plain', 'constant', 'constant', 'constant']);
  });

  it('are those that the probe reports, and all below them', () => {
    const state = {
      'conf.port': 80,
      'conf.codes.ok': 'fine',
      'conf.codes.list[0].text': 'bad',
      'conf.codesets': 'utf',
    };
    const some = engineOf(state, [module('conf', { constants: ['codes'] })]);
    expect(kindsOf(some)).toEqual(['plain', 'constant', 'constant', 'plain']);
    const all = engineOf(state, [module('conf', { constants: [''] })]);
    expect(new Set(kindsOf(all))).toEqual(new Set(['constant']));
    expect(all.confidence()).toBeLessThan(GOOD_CONFIDENCE);
    expect(all.salienceOf('conf.port')).toBeLessThan(some.salienceOf('conf.port'));
  });

  it('are no longer those that the probe stops reporting', () => {
    const engine = engineOf({ 'conf.port': 80 }, [module('conf', { constants: [''] })]);
    engine.apply({ kind: 'same' }, [module('conf')]);
    expect(kindsOf(engine)).toEqual(['plain']);
  });

  it('are not what changes, whatever it is called', () => {
    const engine = engineOf({ 'api.MAX_SEEN': 3, 'api.name': 'x' }, [module('api', { constants: [''] })]);
    engine.apply({ kind: 'delta', changed: [[0, 4]], added: [], removed: [] }, null);
    expect(kindsOf(engine)).toEqual(['live', 'constant']);
  });

  it('come after all else, and enumerations are not shown', () => {
    const engine = engineOf(
      { 'log.Level["0"]': 'Debug', 'log.Level.Debug': 0, 'conf.a.b': 'x', 'shop.name': 'Corner' },
      [module('log'), module('conf', { constants: [''] }), module('shop')],
    );
    expect(engine.isShown('log.Level.Debug')).toBe(false);
    expect(engine.isShown('conf.a.b')).toBe(true);
    engine.confidence();
    const rank = (key: string) => engine.rankOfSlot(engine.table.slotOf(key) ?? -1);
    expect(rank('conf.a.b')).toBeLessThan(rank('shop.name'));
  });

  it('lower nothing by one long table', () => {
    const words = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`mime.types.t${at}`, `type/${at}`]));
    const shop = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`shop.field${at}`, `value ${at}`]));
    expect(engineOf({ ...words, ...shop }).confidence()).toBe(0.89);
  });
});

describe('what lives', () => {
  it('is what changes, what a store holds, and what has a timer', () => {
    const engine = engineOf({ 'shop.name': 'Corner', 'job.timer': '[Timeout]', 'job.tries': 2, 'cart.total': 3 }, [
      module('shop'),
      module('job'),
      { name: 'cart', origin: 'Redux store', mangled: false },
    ]);
    expect(kindsOf(engine)).toEqual(['plain', 'live', 'live', 'live']);
    engine.apply({ kind: 'delta', changed: [[0, 'Market']], added: [], removed: [] }, null);
    expect(kindsOf(engine)[0]).toBe('live');
    expect(engine.judge()).toEqual({ confidence: 0.97, reason: 'Values of the program were seen to change.' });
  });

  it.each(['this of an arrow function in /srv/app.js', 'an object that the event loop holds', 'held by thread main'])(
    'is %s',
    (origin) => {
      const engine = engineOf({ 'mock.hits': 3 }, [{ name: 'mock', origin, mangled: false }]);
      expect(kindsOf(engine)).toEqual(['live']);
    },
  );

  it('is nothing in the code of a minified library', () => {
    const state: Record<string, Scalar> = { 'crypto.sjcl.mode': 'ccm' };
    for (const name of 'abcdefghijklmnopqrstuv') state[`crypto.sjcl.random.${name}`] = 17;
    const engine = engineOf(state);
    expect(engine.judge()).toEqual({ confidence: 0.15, reason: 'Found only what libraries keep for themselves.' });
  });
});
