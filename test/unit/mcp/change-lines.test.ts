import { describe, expect, it } from 'vitest';
import { changeLines } from '../../../src/mcp/change-lines.ts';
import { reportChanges, reportEffect } from '../../../src/mcp/report-changes.ts';
import type { Scalar } from '../../../src/model/scalar.ts';
import type { KeyChange } from '../../../src/model/state-look.ts';
import { bundledPage, finished, longestStep, lookAtObjects, mailApp } from './states.ts';

const change = (key: string, before?: Scalar, after?: Scalar): KeyChange => ({ key, before, after });
const mail = mailApp();
const told = (changes: KeyChange[], room = 1200) => finished(changeLines(changes, mail, room)).lines;

describe('what has changed', () => {
  it('is told in steps that are short, however much it is', () => {
    const rows = Array.from({ length: 5000 }, (_, at) => [`list[${at}].id`, `list[${at}].name`]).flat();
    const plain = Array.from({ length: 5000 }, (_, at) => `store.part${at % 50}.key${at}`);
    const look = lookAtObjects(Object.fromEntries([...rows, ...plain].map((key) => [key, 'now'])));
    // Each row is at the place of the next one.
    const moved = rows.map((key, at) => change(key, `${at}`, `${at + 2}`));
    const changes = [...moved, ...plain.map((key, at) => change(key, at % 3 ? 'before' : undefined, `now ${at}`))];
    const tell = (watched: typeof look) => reportChanges(changes, watched, 'CAPTURE', false)(1000);
    expect(longestStep(look, tell)).toBeLessThan(1500);
    expect(finished(tell(look)).join('\n')).toContain('more changes: read_changes with since CAPTURE');
  });

  it('tells null from what is not there', () => {
    expect(
      told([change('inbox.selected', null, 'm3'), change('fields.search', undefined, null), change('account.x', null)]),
    ).toEqual(['inbox.selected: null -> "m3"', 'fields.search: appeared, null', 'account.x: gone, was null']);
  });

  it('tells what says something before what only counts', () => {
    const counter = change('inbox.unread', 7, 8);
    expect(told([counter, change('account.name', 'Ada', 'Grace')])).toEqual([
      'account.name: "Ada" -> "Grace"',
      'inbox.unread: 7 -> 8',
    ]);
  });

  it('has a row on a line, many rows on one', () => {
    const row = (at: number, ...[before, after]: (boolean | undefined)[]) =>
      ['id', 'subject', 'from', 'unread'].map((name) =>
        change(`inbox.emails[${at}].${name}`, before ? `${name}${at}` : undefined, after ? `${name}${at}` : undefined),
      );
    expect(told(row(400, false, true))).toEqual([
      'inbox.emails[400]: 4 keys appeared: id = "id400", subject = "subject400", from = "from400", unread = "unread400"',
    ]);
    const many = Array.from({ length: 12 }, (_, at) => row(at, true, false)).flat();
    const lines = told(many);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /^inbox\.emails\[\*\]: 12 rows \(48 keys\) gone; inbox\.emails\[0\]: 4 keys gone: id = "id0"/,
    );
  });

  it('tells one change that is in many places for the best two of them', () => {
    const keys = ['account.name', 'settings.owner', 'inbox.owner', 'inbox.selected'];
    const changes = keys.map((key) => change(key, 'Ada Lovelace', 'Grace Hopper'));
    const { lines, left } = finished(changeLines(changes, mail, 1200));
    expect(lines).toHaveLength(2);
    expect([...left.values()].reduce((sum, count) => sum + count, 0)).toBe(2);
  });

  it('leaves the length of a list to its elements', () => {
    const length = change('inbox.emails.length', 3, 4);
    expect(told([length])).toEqual(['inbox.emails.length: 3 -> 4']);
    expect(told([length, change('inbox.emails[3].id', undefined, 'm3')])).toEqual([
      'inbox.emails[3].id: appeared, "m3"',
    ]);
  });

  it('has all of a row that is another now', () => {
    const row = ['from', 'body', 'subject', 'id'].map((name) => change(`inbox.emails[3].${name}`, 'a', `${name}3`));
    expect(told(row)).toEqual([
      'inbox.emails[3]: 4 keys changed: from = "from3", body = "body3", subject = "subject3", id = "id3"',
    ]);
  });

  it('has one line for a place that is gone', () => {
    const gone = ['a', 'b.c', 'b.d.e', 'f.g', 'h[0].i'].map((name) => change(`inbox.${name}`, 1));
    expect(told(gone)).toEqual(['inbox: 5 keys gone: a = 1, b.c = 1, b.d.e = 1, f.g = 1, h[0].i = 1']);
  });

  it('puts what matters first, and leaves noise out, which it counts', () => {
    const changes = [
      change('settings.theme', 'dark', 'light'),
      change('unknown_0x00001000', 1, 2),
      change('i18n.resources.en["message_1"]', 'a', 'b'),
      change('headings[0]', 'Inbox', 'Drafts'),
    ];
    expect(finished(changeLines(changes, mail, 1200))).toEqual({
      lines: ['headings[0]: "Inbox" -> "Drafts"', 'settings.theme: "dark" -> "light"'],
      left: new Map(),
      noise: 2,
    });
    expect(finished(changeLines(changes, mail, 1200, true))).toMatchObject({ noise: 0, lines: { length: 4 } });
  });

  it('says where the rest is', () => {
    const changes = Array.from({ length: 300 }, (_, at) => change(`place${at}.value`, at, at + 1));
    const lines = finished(reportChanges(changes, mail, 'CAPTURE', false)(600));
    const rest = /\((\d+) more changes: read_changes with since CAPTURE and globs such as place\*/.exec(
      lines.at(-1) ?? '',
    );
    expect(Number(rest?.[1]) + lines.length - 1).toBe(300);
  });
});

describe('what an action has changed', () => {
  const old = Array.from({ length: 4000 }, (_, at) => change(`old.page.key${at}`, at));

  it('is the new page after a navigation', async () => {
    const look = bundledPage();
    const now = look.keys.keys.map((key) => change(key, undefined, look.get(key)));
    const effect = { since: 'x', urlBefore: 'http://127.0.0.1:8080/', changes: [...old, ...now] };
    const lines = finished((await reportEffect(effect, look, undefined, {}))(1000));
    expect(lines.join('\n').length).toBeLessThan(1300);
    expect(lines.slice(0, 3)).toEqual([
      'Another page:',
      '(url) "http://127.0.0.1:8080/#/browse/mine"',
      '(window) "Inbox – ünïcode ✓"',
    ]);
    expect(lines).toContain('headings[0] = "Thermal Board"');
    expect(lines.at(-1)).toMatch(/^\(\d+ of its 3953 keys are above: read_state has more\)$/);
    expect(lines.join()).not.toContain('old.page');
  });

  it('is of the keys that were asked for', async () => {
    const look = bundledPage();
    const effect = {
      since: 'x',
      urlBefore: null,
      changes: [...old, change('clock.utc', 1, 2), change('["10000"].id', 1, 2)],
    };
    expect(finished((await reportEffect(effect, look, ['clock', '["10000"]'], {}))(1000))).toEqual([
      'clock.utc: 1 -> 2',
      '["10000"].id: 1 -> 2',
    ]);
  });
});
