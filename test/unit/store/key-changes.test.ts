import { expect, it } from 'vitest';
import type { KeyRecord } from '../../../src/model/key-record.ts';
import { keyChanges } from '../../../src/store/key-changes.ts';

const record = (id: string, more: Partial<KeyRecord> = {}): KeyRecord => ({
  id,
  key_hash: `blake3:${'0'.repeat(64)}`,
  created_at: '2026-01-02T03:04:05Z',
  last_used_at: null,
  enabled: true,
  ...more,
});

it('names the keys that came, went, or may do something else, and nothing of a use', () => {
  const before = [record('a'), record('b'), record('c'), record('d', { scopes: ['read'] })];
  const after = [
    record('a', { last_used_at: '2026-01-02T03:04:05Z' }),
    record('b', { enabled: false }),
    record('d', { scopes: ['read', 'act'], expires_at: '2027-01-01T00:00:00Z' }),
    record('e', { confirm: true }),
  ];
  expect(keyChanges(before, after)).toEqual([
    'b was changed: disabled',
    'd was changed: read, act; until 2027-01-01T00:00:00Z',
    'e was added: read, act; a person confirms each action',
    'c was deleted',
  ]);
});
