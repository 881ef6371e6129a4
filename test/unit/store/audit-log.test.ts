import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../src/model/audit-entry.ts';
import { AuditLog } from '../../../src/store/audit-log.ts';
import { recordingLogger } from './recording-logger.ts';
import { tempFolder } from './temp-folder.ts';

const entry = (action: string): AuditEntry => ({
  time: '2026-01-02T03:04:05.678Z',
  key_id: 'key_1',
  pid: 42,
  app_id: 'shop-00000000',
  action,
  parameters: ['name'],
  outcome: 'ran',
  code: null,
  confirmed_by: null,
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
    expect([...log.entries()]).toEqual([entry('a'), entry('line\nbreak')]);
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
    expect(files).toEqual(['audit.1.jsonl', 'audit.2.jsonl', 'audit.3.jsonl', 'audit.4.jsonl', 'audit.jsonl']);
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
