import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type KeyRecord, keyRecord } from '../../../src/model/key-record.ts';
import { describePermissions, EVERYTHING, Permissions } from '../../../src/model/permissions.ts';

const identity = (appId: string, appName: string, isForeign = false) => ({ appId, appName, isForeign });

const RECORD = {
  id: 'key_1',
  key_hash: `blake3:${'0'.repeat(64)}`,
  created_at: '2026-01-02T03:04:05Z',
  last_used_at: null,
  enabled: true,
} satisfies KeyRecord;

describe('what a key may do', () => {
  it('is everything where its record says nothing', () => {
    for (const permissions of [
      EVERYTHING,
      new Permissions({ ...RECORD, expires_at: null }),
      new Permissions({ scopes: null, apps: null }),
    ]) {
      for (const scope of ['read', 'act', 'teach', 'admin'] as const) permissions.requireScope(scope);
      permissions.requireApp(identity('shop-00000000', 'shop'));
      permissions.requireReversibility('cart.clear', 'irreversible_write');
      expect(permissions.confirm).toBe(false);
      expect(permissions.isForAllApps).toBe(true);
    }
  });

  it('is nothing where its lists are empty', () => {
    const nothing = new Permissions({ scopes: [], apps: [] });
    expect(() => nothing.requireScope('read')).toThrow('lacks the scope read; it has none.');
    expect(() => nothing.requireApp(identity('shop-00000000', 'shop'))).toThrow('is for no app, not for shop.');
  });

  it('says which scope is missing, and that another try does not help', () => {
    const reader = new Permissions({ scopes: ['read', 'teach'] });
    reader.requireScope('read');
    expect(() => reader.requireScope('act')).toThrow(
      'This key lacks the scope act; it has read, teach. Another try with this key does not help',
    );
  });

  it('ends at the kind of action that its record names', () => {
    const writer = new Permissions({ max_reversibility: 'reversible_write' });
    writer.requireReversibility('cart.total', 'reversible_read');
    writer.requireReversibility('cart.add', 'reversible_write');
    expect(() => writer.requireReversibility('cart.clear', 'irreversible_write')).toThrow(
      'cart.clear is irreversible_write; this key may run actions up to reversible_write.',
    );
  });

  it.each([
    ['coffee*', 'coffee-shop-1a2b3c4d', 'Coffee Shop', true],
    ['Coffee shop', 'coffee-shop-1a2b3c4d', 'Coffee Shop', true],
    ['coffee', 'coffee-shop-1a2b3c4d', 'Coffee Shop', false],
    ['*shop*', 'tea-1', 'My Shop 2', true],
    ['?ea-1', 'tea-1', 'x', true],
    ['com.example.*', 'x-1', 'com.example.app.Main', true],
    ['a*b*c', 'abxbyc', 'x', true],
    ['a*b*c', 'abxby', 'x', false],
    ['[a-z]*', 'abc', 'x', false],
  ])('is for apps by %s: %s, %s: %s', (glob, appId, appName, isMeant) => {
    expect(new Permissions({ apps: [glob] }).includesApp(identity(appId, appName))).toBe(isMeant);
    expect(new Permissions({ apps: ['nothing', glob] }).includesApp(identity(appId, appName))).toBe(isMeant);
  });

  it('is for programs of other users by their whole app_id only: a program chooses its name itself', () => {
    const appId = 'shop-0123456789abcdef';
    for (const app of ['shop', 'shop*', '*', 'shop-0123456789abcde?'])
      expect(new Permissions({ apps: [app] }).includesApp(identity(appId, 'shop', true))).toBe(false);
    expect(new Permissions({ apps: [appId] }).includesApp(identity(appId, 'shop', true))).toBe(true);
    expect(EVERYTHING.includesApp(identity(appId, 'shop', true))).toBe(true);
    expect(() => new Permissions({ apps: ['shop'] }).requireApp(identity(appId, 'shop', true))).toThrow(
      'belongs to another user and has to be named by its app_id',
    );
  });

  it('is to read and to act where a person must confirm, unless its record says more', () => {
    const asking = new Permissions({ confirm: true });
    for (const scope of ['read', 'act'] as const) asking.requireScope(scope);
    for (const scope of ['teach', 'admin'] as const)
      expect(() => asking.requireScope(scope)).toThrow('lacks the scope');
    new Permissions({ confirm: true, scopes: ['act', 'teach'] }).requireScope('teach');
    expect(describePermissions({ confirm: true })).toBe('read, act; a person confirms each action');
  });

  it('compares any text with any glob, as a regular expression would', () => {
    const letters = fc.constantFrom('a', 'b', '*', '?', '.', '\n', 'É');
    const text = fc.array(letters, { maxLength: 12 }).map((all) => all.join(''));
    fc.assert(
      fc.property(text, text, (glob, name) => {
        const source = glob.toLowerCase().replace(/[.*?]/g, (letter) => ({ '*': '.*', '?': '.' })[letter] ?? '\\.');
        const expected = new RegExp(`^${source}$`, 's').test(name.toLowerCase());
        expect(new Permissions({ apps: [glob] }).includesApp(identity(name, name))).toBe(expected);
      }),
    );
  });

  it('is found quickly also for globs that are hard', () => {
    const hard = new Permissions({ apps: [`${'*a'.repeat(99)}b`] });
    expect(hard.includesApp(identity('a'.repeat(5000), ''))).toBe(false);
  });

  it('can be told in words', () => {
    expect(describePermissions({})).toBe('everything');
    expect(
      describePermissions({
        scopes: ['read', 'act'],
        apps: ['coffee*'],
        max_reversibility: 'reversible_write',
        confirm: true,
      }),
    ).toBe('read, act; actions up to reversible_write; apps coffee*; a person confirms each action');
    expect(describePermissions({ scopes: [], apps: [] })).toBe('nothing; apps none');
  });
});

describe('a record of the keys file', () => {
  it('works without any of this, as it did before', () => {
    expect(keyRecord.parse(RECORD)).toEqual(RECORD);
  });

  it.each([
    { scopes: ['read', 'everything'] },
    { scopes: 'read' },
    { apps: 'coffee*' },
    { apps: [''] },
    { max_reversibility: 'anything' },
    { confirm: 'no' },
  ])('lets nobody in where it restricts in a way that is not understood: %j', (restrictions) => {
    expect(keyRecord.safeParse({ ...RECORD, ...restrictions }).success).toBe(false);
  });
});
