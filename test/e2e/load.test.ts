/** The short form of `npm run test:load`. */
import path from 'node:path';
import { expect, it } from 'vitest';
import { runLoad } from '../load/load.ts';
import { BINARY } from '../support/daemon.ts';

it('serves many apps, watchers and readers, slow ones among them, and keeps nothing of it', async () => {
  const { rows, failures } = await runLoad({
    dist: path.dirname(BINARY),
    targets: path.resolve(import.meta.dirname, '../targets'),
    seconds: 5,
    processes: 12,
    watchers: 100,
    readers: 16,
    slow: 8,
    keys: 20_000,
    pauseMs: 0,
    say: () => {},
  });
  expect(failures, JSON.stringify(rows)).toEqual([]);
}, 120_000);
