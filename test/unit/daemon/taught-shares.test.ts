import { expect, it } from 'vitest';
import { TaughtShares } from '../../../src/daemon/taught-shares.ts';
import type { SchemaDocument } from '../../../src/model/schema-document.ts';

const document = (chars: number): SchemaDocument => ({
  format: 'substrate-schema/1',
  app_id: 'x-00000000',
  app_name: 'x'.repeat(chars),
  labels: [],
  actions: [],
});

it('bounds the bytes that a key teaches within a day, and leaves the others theirs', () => {
  let now = 0;
  const shares = new TaughtShares(() => now);
  let taken = 0;
  expect(() => {
    for (; taken < 100; taken++) shares.take('one', document(1024 * 1024), false);
  }).toThrow('64 MiB');
  expect(taken).toBe(63);
  shares.take('other', document(1024 * 1024), false);
  expect(() => shares.take('one', document(1024 * 1024), false)).toThrow('Nothing was taken in');
  now += 24 * 3_600_000;
  shares.take('one', document(1024 * 1024), false);
});

it('bounds the apps that a key makes known by imports alone', () => {
  const shares = new TaughtShares();
  for (let app = 0; app < 200; app++) shares.take('one', document(1), true);
  expect(() => shares.take('one', document(1), true)).toThrow('200 unknown apps');
  shares.take('one', document(1), false);
});
