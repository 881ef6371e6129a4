import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AppSchema, emptySchema } from '../../../src/model/app-schema.ts';
import { type SharedSchema, sharedSchema } from '../../../src/model/shared-schema.ts';
import { mergeShared, sharedSchemaOf, takeShared } from '../../../src/semantic/shared-schema.ts';

/** A host, and what it remembers of the others. */
class Host {
  readonly schema: AppSchema = emptySchema('shop-1a2b3c4d', 'Shop');
  base: SharedSchema | null = null;
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  say(path: string, label: string, confirmed = true): void {
    const by = confirmed ? { by: 'key' } : {};
    this.schema.labels[path] = { label, type: 'number', confidence: 0.9, confirmed, ...by };
  }

  /** Gives what all know then. */
  sync(remote: SharedSchema | null): SharedSchema {
    const own = sharedSchemaOf(this.schema, this.name);
    const { shared } = mergeShared(own, this.base, remote);
    takeShared(this.schema, shared, own, this.name);
    this.base = sharedSchema.parse(shared);
    return this.base;
  }

  get names(): Record<string, string> {
    return Object.fromEntries(Object.entries(this.schema.labels).map(([path, { label }]) => [path, label]));
  }
}

describe('what hosts know together', () => {
  it('is decided as a correction is: who knows what was said may say something else, who does not is refused', () => {
    const [one, other] = [new Host('one'), new Host('other')];
    one.say('a', 'first');
    let all = other.sync(one.sync(null));
    other.say('a', 'second');
    all = other.sync(all);
    one.say('a', 'late');
    expect(mergeShared(sharedSchemaOf(one.schema, 'one'), one.base, all).refused).toEqual(['a']);
    all = one.sync(all);
    expect([one.names, other.names]).toEqual([{ a: 'second' }, { a: 'second' }]);
    expect(one.schema.labels.a?.by).toBe('other/key');
  });

  it('gives a name that a person gave to nothing else, and takes one away only where that was known', () => {
    const [one, other] = [new Host('one'), new Host('other')];
    one.say('a', 'total');
    let all = one.sync(null);
    other.say('b', 'total');
    all = other.sync(all);
    expect(other.names).toEqual({ a: 'total' });
    // As a file does that is imported with force.
    delete other.schema.labels.a;
    other.say('b', 'total');
    all = other.sync(all);
    one.sync(all);
    expect(one.names).toEqual({ b: 'total' });
  });

  it('keeps what was said while the others were told', () => {
    const one = new Host('one');
    one.say('a', 'first');
    const own = sharedSchemaOf(one.schema, 'one');
    const { shared } = mergeShared(own, null, null);
    one.say('a', 'second');
    one.say('b', 'other');
    expect(takeShared(one.schema, shared, own, 'one')).toBeNull();
    expect(one.names).toEqual({ a: 'second', b: 'other' });
  });

  it('holds actions, and no more of hints than who asked', () => {
    const [one, other] = [new Host('one'), new Host('other')];
    one.schema.actions['cart.add'] = { name: 'add', returns: 'number', confidence: 1, by: 'key' };
    Object.assign(one.schema.hints, { asked: true, deep: true, stopped_by: 'time' });
    other.sync(one.sync(null));
    expect(other.schema.actions['cart.add']).toMatchObject({ name: 'add', imported: true, by: 'one/key' });
    expect(other.schema.hints).toEqual({ asked_elsewhere: true });
  });

  it('becomes the same everywhere, whoever says what and hears of it when; no name is given twice', () => {
    const step = fc.oneof(
      fc.record({
        host: fc.nat(2),
        path: fc.constantFrom('a', 'b', 'c[*].d'),
        label: fc.constantFrom('x', 'y', 'z'),
        confirmed: fc.boolean(),
      }),
      fc.record({ host: fc.nat(2) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const hosts = ['one', 'two', 'three'].map((name) => new Host(name));
        let all: SharedSchema | null = null;
        for (const { host, ...said } of steps) {
          const here = hosts[host];
          if (here === undefined) continue;
          if ('path' in said) {
            const taken = Object.entries(here.schema.labels).some(
              ([path, { label, confirmed }]) => path !== said.path && label === said.label && confirmed,
            );
            if (!taken && (said.confirmed || !(said.path in here.schema.labels)))
              here.say(said.path, said.label, said.confirmed);
          } else all = here.sync(all);
        }
        for (let round = 0; round < 2; round++) for (const host of hosts) all = host.sync(all);
        const before = JSON.stringify(all);
        for (const host of hosts) all = host.sync(all);
        expect(JSON.stringify(all)).toBe(before);
        const said = hosts.map(({ schema }) =>
          Object.entries(schema.labels)
            .filter(([, { confirmed }]) => confirmed)
            .map(([path, { label }]) => `${path} ${label}`)
            .sort(),
        );
        expect(said[1]).toEqual(said[0]);
        expect(said[2]).toEqual(said[0]);
        const names = (all?.labels ?? []).filter(({ confirmed }) => confirmed).map(({ label }) => label);
        expect(new Set(names).size).toBe(names.length);
      }),
    );
  });
});
