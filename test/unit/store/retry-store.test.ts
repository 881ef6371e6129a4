import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { RetryStore } from '../../../src/store/retry-store.ts';
import { recordingLogger } from './recording-logger.ts';
import { tempFolder } from './temp-folder.ts';

const DAY_MS = 24 * 3_600_000;
const ANSWER = { status: 200, text: '{"success":true}' };

function setUp() {
  const dir = tempFolder();
  const clock = { now: Date.now(), ticks: 0 };
  const pass = (ms: number) => {
    clock.now += ms;
    clock.ticks += ms;
  };
  const logger = recordingLogger();
  /** Like a restarted daemon. */
  const open = () => new RetryStore({ dir, logger, now: () => clock.now, ticks: () => clock.ticks });
  const files = () => fs.readdirSync(path.join(dir, 'retries'));
  const only = () => path.join(dir, 'retries', files()[0] ?? '');
  return { dir, clock, pass, logger, open, store: open(), files, only };
}

/** The pid of an ended process. */
function endedPid(): number {
  return spawnSync(process.execPath, ['-e', '']).pid;
}

describe('requests that may be repeated', () => {
  it('are carried out once, and answered as the first time, by another daemon too', () => {
    const { store, open } = setUp();
    expect(store.claim('a', 'body')).toEqual({ kind: 'new' });
    expect(store.claim('a', 'body')).toEqual({ kind: 'running' });
    expect(store.claim('b', 'body')).toEqual({ kind: 'new' });
    store.finish('a', ANSWER);
    for (const one of [store, open()]) expect(one.claim('a', 'body')).toEqual({ kind: 'done', answer: ANSWER });
    expect(store.claim('a', 'another body')).toEqual({ kind: 'other request' });
  });

  it('can be carried out again when nothing was', () => {
    const { store } = setUp();
    store.claim('a', 'body');
    store.release('a');
    expect(store.claim('a', 'body')).toEqual({ kind: 'new' });
  });

  it('are never carried out again after a daemon was killed in the middle', () => {
    const { store, open, only } = setUp();
    store.claim('a', 'body');
    const claimed = JSON.parse(fs.readFileSync(only(), 'utf8'));
    fs.writeFileSync(only(), JSON.stringify({ ...claimed, by: { pid: endedPid(), start: '1' } }));
    expect(open().claim('a', 'body')).toEqual({ kind: 'lost' });
    expect(open().claim('a', 'another body')).toEqual({ kind: 'other request' });
  });

  it('are running where another daemon works on them, by pid and start time', () => {
    const { store, open, only } = setUp();
    store.claim('a', 'body');
    expect(open().claim('a', 'body')).toEqual({ kind: 'lost' });
    const claimed = JSON.parse(fs.readFileSync(only(), 'utf8'));
    const start = fs
      .readFileSync(`/proc/${process.ppid}/stat`, 'latin1')
      .replace(/^.*\) /, '')
      .split(' ')[19];
    fs.writeFileSync(only(), JSON.stringify({ ...claimed, by: { pid: process.ppid, start } }));
    expect(open().claim('a', 'body')).toEqual({ kind: 'running' });
    fs.writeFileSync(only(), JSON.stringify({ ...claimed, by: { pid: process.ppid, start: '1' } }));
    expect(open().claim('a', 'body')).toEqual({ kind: 'lost' });
  });

  it('are claimed anew where a killed daemon had not finished its claim', () => {
    const { store, clock, only } = setUp();
    store.claim('a', 'body');
    for (const cut of ['', '{"body":"']) {
      fs.writeFileSync(only(), cut);
      clock.now = Date.now();
      expect(store.claim('a', 'body')).toEqual({ kind: 'running' });
      clock.now += 10_000;
      expect(store.claim('a', 'body')).toEqual({ kind: 'new' });
    }
  });

  it('are forgotten after a day, and their files go', () => {
    const { store, pass, files } = setUp();
    store.claim('a', 'body');
    store.finish('a', ANSWER);
    store.claim('b', 'body');
    pass(DAY_MS - 60_000);
    expect(store.claim('a', 'body')).toMatchObject({ kind: 'done' });
    pass(120_000);
    expect(store.claim('a', 'body')).toEqual({ kind: 'new' });
    pass(DAY_MS);
    store.claim('c', 'body');
    expect(files()).toHaveLength(1);
  });

  it('are carried out once also where the clock is set meanwhile, by a day and more', () => {
    const { store, clock, only } = setUp();
    store.claim('a', 'body');
    for (const days of [2, -4]) {
      clock.now += days * DAY_MS;
      expect(store.claim('a', 'body')).toEqual({ kind: 'running' });
    }
    store.finish('a', ANSWER);
    for (const days of [4, -8]) {
      clock.now += days * DAY_MS;
      // Long enough to search for old ones.
      clock.ticks += 3_600_000;
      expect(store.claim('a', 'body')).toEqual({ kind: 'done', answer: ANSWER });
    }
    fs.writeFileSync(only(), '');
    expect(store.claim('a', 'body')).toEqual({ kind: 'new' });
  });

  it('leave nothing readable for others, and no name of a client in a path', () => {
    const { dir, store, only } = setUp();
    store.claim('../../../etc/passwd', 'body');
    expect(path.dirname(only())).toBe(path.join(dir, 'retries'));
    expect(path.basename(only())).toMatch(/^[0-9a-f]{16}-[0-9a-f]{64}\.json$/);
    expect(fs.statSync(only()).mode & 0o777).toBe(0o600);
    expect(fs.statSync(path.join(dir, 'retries')).mode & 0o777).toBe(0o700);
  });
});

describe('what is kept for one API key', () => {
  const MIB = 1024 * 1024;

  it('is bounded in bytes, and leaves room for other keys', () => {
    const { store, open, pass } = setUp();
    const text = 'x'.repeat(MIB);
    let kept = 0;
    const keep = () => {
      store.claim(`one\n${kept}`, 'body');
      store.finish(`one\n${kept}`, { status: 200, text });
      kept++;
    };
    expect(() => {
      while (kept < 100) keep();
    }).toThrow(/answers that are kept for this API key have 64 MiB/);
    expect(kept).toBe(64);
    // Kept answers are still returned, also by a restarted daemon, which knows the existing ones.
    for (const one of [store, open()]) {
      expect(one.claim('one\n0', 'body')).toMatchObject({ kind: 'done' });
      expect(() => one.claim('one\nnew', 'body')).toThrow('nothing was run');
      const other = `other\n${one === store}`;
      expect(one.claim(other, 'body')).toEqual({ kind: 'new' });
    }
    pass(DAY_MS + 600_000);
    expect(store.claim('one\nnew', 'body')).toEqual({ kind: 'new' });
  });

  it('counts what is released no more', () => {
    const { store } = setUp();
    for (let at = 0; at < 20; at++) {
      store.claim('one\nsame', 'body');
      store.release('one\nsame');
    }
    expect(store.claim('one\nsame', 'body')).toEqual({ kind: 'new' });
  });
});
