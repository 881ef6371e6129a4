import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../src/model/audit-entry.ts';
import { AuditLog } from '../../../src/store/audit-log.ts';
import { recordingLogger } from './recording-logger.ts';
import { tempFolder } from './temp-folder.ts';

const entry = (action: string): AuditEntry => ({
  time: '2026-01-02T03:04:05.678Z',
  event: 'action',
  key_id: 'key_1',
  pid: 42,
  app_id: 'shop-00000000',
  action,
  binding: 'cart#add',
  reversibility: 'reversible_write',
  parameters: ['name'],
  outcome: 'ran',
  code: null,
  confirmed_by: null,
  count: 1,
});

function setUp(maxBytes?: number) {
  const dir = path.join(tempFolder(), 'data');
  const logger = recordingLogger();
  const log = new AuditLog({ dir, logger, ...(maxBytes === undefined ? {} : { maxBytes }) });
  const actions = () => [...log.entries()].map(({ action }) => action);
  return { dir, file: path.join(dir, 'audit.jsonl'), logger, log, actions };
}

describe('the log of actions', () => {
  it('has one line for each, which only its owner can read', () => {
    const { file, log } = setUp();
    expect([...log.entries()]).toEqual([]);
    log.note(entry('a'));
    log.note(entry('line\nbreak'));
    expect(fs.readFileSync(file, 'utf8').split('\n')).toHaveLength(3);
    expect(log.entries()).toMatchObject([entry('a'), entry('line\nbreak')]);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
  });

  it('goes on after a line that was cut off, and passes over what is no entry', () => {
    const { file, log, actions } = setUp();
    log.note(entry('a'));
    fs.appendFileSync(file, '{"time":"2026');
    log.note(entry('b'));
    fs.appendFileSync(file, '[]\n{"time":1}\n\n');
    log.note(entry('c'));
    expect(actions()).toEqual(['a', 'b', 'c']);
  });

  it('keeps a bounded number of files, and loses no entry between them', async () => {
    const { dir, log, actions } = setUp(2000);
    const names = Array.from({ length: 61 }, (_, at) => `action${at}`);
    for (const name of names) {
      log.note(entry(name));
      await log.flush();
    }
    const files = fs.readdirSync(dir).sort();
    expect(files).toEqual([
      'audit.1.jsonl',
      'audit.2.jsonl',
      'audit.3.jsonl',
      'audit.4.jsonl',
      'audit.head',
      'audit.jsonl',
    ]);
    for (const file of files) expect(fs.statSync(path.join(dir, file)).size).toBeLessThan(2500);
    const kept = actions();
    expect(kept).toEqual(names.slice(-kept.length));
    expect(kept.length).toBeGreaterThan(30);
  });

  it('is not written through a link, which is said once, and the daemon goes on', () => {
    const { dir, file, log, logger } = setUp();
    const elsewhere = path.join(tempFolder(), 'elsewhere');
    fs.mkdirSync(dir, { mode: 0o700 });
    fs.writeFileSync(elsewhere, '');
    fs.symlinkSync(elsewhere, file);
    log.note(entry('a'));
    log.note(entry('b'));
    expect(fs.readFileSync(elsewhere, 'utf8')).toBe('');
    expect(logger.complaints).toEqual([expect.stringContaining('actions cannot be logged')]);
    fs.rmSync(file);
    log.note(entry('c'));
    expect(fs.readFileSync(file, 'utf8')).toContain('"c"');
  });

  it('tells of an action that was under way when its daemon was killed, once', () => {
    const { dir, log, actions } = setUp();
    log.begin(entry('forgotten'))();
    log.begin(entry('under way here'));
    const folder = path.join(dir, 'running');
    const [file = ''] = fs.readdirSync(folder);
    const { by } = JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'));
    const leave = (name: string, start: string) =>
      fs.writeFileSync(path.join(folder, name), JSON.stringify({ by: { ...by, start }, entry: entry(name) }));
    leave('killed', 'another start');
    fs.writeFileSync(path.join(folder, 'torn'), '{"by":');
    fs.writeFileSync(path.join(folder, 'other'), '[]');
    log.recover();
    log.recover();
    expect(actions()).toEqual(['killed']);
    expect(fs.readdirSync(folder)).toEqual([file]);
    expect(fs.statSync(path.join(folder, file)).mode & 0o777).toBe(0o600);
  });

  it('lets an action begin that it cannot keep', () => {
    const { dir, log, logger } = setUp();
    fs.mkdirSync(dir, { recursive: true });
    fs.writeFileSync(path.join(dir, 'running'), '');
    log.begin(entry('a'))();
    log.recover();
    expect(logger.complaints.length).toBeGreaterThan(0);
  });
});

describe('the chain of the lines', () => {
  const refusal = (action: string, key_id = 'key_2'): AuditEntry => ({
    ...entry(action),
    key_id,
    outcome: 'refused',
    code: 'unknown_action',
  });
  const edit = (file: string, change: (lines: string[]) => string[]) => {
    const lines = fs.readFileSync(file, 'utf8').trimEnd().split('\n');
    fs.writeFileSync(file, `${change(lines).join('\n')}\n`);
  };

  it('is whole over rotations, restarts, and lines that were cut off', async () => {
    const { dir, file, logger, log } = setUp(2000);
    for (let at = 0; at < 40; at++) {
      log.note(entry(`a${at}`));
      await log.flush();
    }
    const next = new AuditLog({ dir, logger, maxBytes: 2000 });
    next.note(entry('after a restart'));
    expect(next.check()).toMatchObject({ problems: [] });
    expect(next.check().lines).toBeGreaterThan(20);
    fs.appendFileSync(file, '{"time":"2026');
    new AuditLog({ dir, logger }).note(entry('b'));
    expect(log.check().problems).toEqual([expect.stringContaining('no complete line')]);
  });

  it.each([
    [
      'a changed line',
      (lines: string[]) => lines.map((line) => line.replace('"a3"', '"x"')),
      'was changed or replaced',
    ],
    [
      'a line that was taken out',
      (lines: string[]) => lines.filter((line) => !line.includes('"a3"')),
      '1 lines before it are missing',
    ],
    ['lines that were cut off at the end', (lines: string[]) => lines.slice(0, -2), '2 lines at the end are missing'],
    [
      'a changed last line',
      (lines: string[]) => lines.map((line) => line.replace('"a9"', '"x"')),
      'the last line was changed',
    ],
    ['lines that changed places', ([one = '', other = '', ...rest]: string[]) => [other, one, ...rest], 'missing'],
  ])('shows %s', (_, change, problem) => {
    const { file, log } = setUp();
    for (let at = 0; at < 10; at++) log.note(entry(`a${at}`));
    expect(log.check()).toEqual({ lines: 10, problems: [] });
    edit(file, change);
    expect(log.check().problems.join('; ')).toContain(problem);
  });

  it('takes lines of an earlier version, and two daemons that write at the same moment', () => {
    const { dir, file, logger, log } = setUp();
    fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
    const { event: _, binding, reversibility, count, ...old } = entry('old');
    fs.writeFileSync(file, `${JSON.stringify(old)}\n`, { mode: 0o600 });
    log.note(entry('a'));
    expect(log.entries()).toMatchObject([{ action: 'old', event: 'action', count: 1 }, { action: 'a' }]);
    const other = new AuditLog({ dir, logger });
    other.note(entry('b'));
    log.note(entry('c'));
    expect(log.check()).toEqual({ lines: 3, problems: [] });
    const twin = fs.readFileSync(file, 'utf8').trimEnd().split('\n').at(-1)?.replace('"c"', '"d"');
    fs.appendFileSync(file, `${twin}\n`);
    expect(log.check().problems).toEqual([expect.stringContaining('the last line')]);
    log.note(entry('e'));
    expect(log.check().problems).toEqual([]);
  });

  it('is not pushed out of the log by refusals, which are counted', async () => {
    const { dir, log } = setUp(20_000);
    log.note(entry('the real one'));
    for (let at = 0; at < 5000; at++) log.note(refusal('a'.repeat(200)));
    for (let at = 0; at < 5000; at++) log.note(refusal(`made-up-${at}`));
    await log.flush();
    const entries = log.entries();
    expect(entries.filter(({ outcome }) => outcome === 'ran')).toMatchObject([{ action: 'the real one' }]);
    const counted = entries.filter(({ outcome }) => outcome === 'refused');
    expect(counted.length).toBeLessThan(100);
    expect(counted.reduce((sum, { count }) => sum + count, 0)).toBe(10_000);
    expect(fs.readFileSync(path.join(dir, 'audit.jsonl'), 'utf8').split('\n')).toHaveLength(2);
    expect(log.check().problems).toEqual([]);
  });
});
