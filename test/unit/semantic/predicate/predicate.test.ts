import { describe, expect, it } from 'vitest';
import { compilePredicate } from '../../../../src/semantic/predicate/predicate.ts';
import { viewOf, viewOfKeys } from './view-of.ts';

const mail = {
  inbox: {
    unread: 2,
    title: '  Inbox  ',
    loading: false,
    selected: null,
    emails: [
      { subject: 'Hello', unread: true, tags: ['a', 'b'], size: 10 },
      { subject: 'Invoice', unread: true, tags: [], size: 32 },
      { subject: 'Bye', unread: false, tags: ['b'], size: 8 },
    ],
    drafts: [],
  },
  rates: { 'odd key': { double: 2 }, 'a.b': 1 },
  matrix: [
    [1, 2],
    [3, 4],
  ],
};

const values: [expression: string, value: unknown][] = [
  // paths
  ['inbox.unread', 2],
  ['inbox.emails[0].subject', 'Hello'],
  ['inbox["emails"][0]["subject"]', 'Hello'],
  ['inbox.emails["0"].subject', 'Hello'],
  ['inbox.emails.length', 3],
  ['inbox.drafts.length', 0],
  ['inbox.emails[0].subject.length', 5],
  ['inbox.emails[0].subject[1]', 'e'],
  ['inbox.emails[9]', null],
  ['inbox.emails[1 + 1].subject', 'Bye'],
  ['inbox.emails[inbox.unread].subject', 'Bye'],
  ['matrix[1][0]', 3],
  ['rates["odd key"].double', 2],
  ['rates["a.b"]', 1],
  ['inbox.selected', null],
  ['unknown', null],
  ['inbox.unknown === undefined', true],
  ['state.inbox.emails[0].subject', 'Hello'],
  ['state["inbox.unread"]', 2],
  ['state["inbox.emails[1].subject"]', 'Invoice'],
  ['state["inbox.emails"].length', 3],
  ['state["inbox"].emails[2].subject', 'Bye'],
  ['state["inbox.emails[" + 1 + "].subject"]', 'Invoice'],
  ['"inbox.unread" in state', true],
  ['"inbox" in state && !("outbox" in state)', true],
  ['context.view', 'inbox'],
  ['context["view"].length', 5],
  ['context.window_id', null],
  ['context.url.startsWith("https://")', true],
  // operators
  ['inbox.unread === 2 && inbox.loading === false', true],
  ['inbox.unread == "2"', true],
  ['inbox.unread !== "2"', true],
  ['null == undefined', true],
  ['inbox.selected == undefined', true],
  ['1 < 2 === true', true],
  ['"b" > "a"', true],
  ['inbox.unread + 1', 3],
  ['inbox.unread + "1"', '21'],
  ['inbox.unread - "1"', 1],
  ['2 ** 3 % 5', 3],
  ['-inbox.unread', -2],
  ['5 / 0', 'Infinity'],
  ['0 / 0', 'NaN'],
  ['typeof inbox.unread', 'number'],
  ['typeof unknown', 'undefined'],
  ['typeof inbox', 'object'],
  ['inbox.loading ? 1 : "no"', 'no'],
  ['unknown ?? "default"', 'default'],
  ['inbox.selected?.name', null],
  ['inbox.selected?.name.first.second', null],
  ['inbox.selected?.name.toLowerCase().trim()', null],
  ['unknown?.[0]', null],
  ['inbox?.unread', 2],
  ['inbox.unread || 7', 2],
  ['false && unknown.property', false],
  ['true || unknown.property', true],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the predicate is what has placeholders
  ['`${inbox.unread} new in ${context.view}`', '2 new in inbox'],
  ['[inbox.unread, 2].length', 2],
  ['"unread" in inbox', true],
  ['1 in inbox.emails', true],
  ['7 | 8', 15],
  ['inbox.unread === 2;', true],
  ['inbox.unread /* two */ === 2 // really', true],
  // methods
  ['inbox.title.trim().toLowerCase()', 'inbox'],
  ['inbox.emails[0].subject.includes("ell")', true],
  ['inbox.emails[0].subject.endsWith("lo")', true],
  ['inbox.emails[0].subject.indexOf("l")', 2],
  ['inbox.emails[0].subject.lastIndexOf("l")', 3],
  ['inbox.emails[0].subject.slice(-2).toUpperCase()', 'LO'],
  ['inbox.emails[0].subject.at(-1)', 'o'],
  ['context.url.split("/")[2]', 'mail.example'],
  ['inbox.emails.some(e => e.unread)', true],
  ['inbox.emails.every(e => e.unread)', false],
  ['inbox.emails.filter(e => e.unread).length', 2],
  ['inbox.emails.map(e => e.subject).join("|")', 'Hello|Invoice|Bye'],
  ['inbox.emails.map((e, i) => i + e.size)', [10, 33, 10]],
  ['inbox.emails.find(e => e.size > 20).subject', 'Invoice'],
  ['inbox.emails.findIndex(e => e.subject === "Bye")', 2],
  ['inbox.emails.reduce((sum, e) => sum + e.size, 0)', 50],
  ['inbox.emails.some(e => e.tags.some(t => t === "b" && e.unread))', true],
  ['inbox.emails.map(e => e.tags.length)', [2, 0, 1]],
  ['inbox.emails[0].tags.includes("b")', true],
  ['inbox.emails[0].tags.indexOf("b")', 1],
  ['inbox.drafts.every(d => d.never)', true],
  ['inbox.drafts.some(d => d.never)', false],
  ['inbox.emails.slice(1, 2)', [{ subject: 'Invoice', unread: true, tags: [], size: 32 }]],
  ['inbox.emails.at(-1).subject', 'Bye'],
  [
    'matrix.map(row => row.map(cell => cell * 2))',
    [
      [2, 4],
      [6, 8],
    ],
  ],
  ['matrix.concat([5], 6).length', 4],
  ['["", "a"].filter(Boolean)', ['a']],
  ['["1", "2"].map(Number)', [1, 2]],
  ['inbox.emails.map(inbox => inbox.size)', [10, 32, 8]],
  ['inbox.unread.toFixed(2)', '2.00'],
  ['(255).toString(16)', 'ff'],
  // functions
  ['Object.keys(inbox.emails[0])', ['subject', 'unread', 'tags', 'size']],
  ['Object.keys(inbox.emails)', ['0', '1', '2']],
  ['Object.values(rates["odd key"])', [2]],
  ['Object.entries(rates["odd key"])', [['double', 2]]],
  ['Object.keys(context).includes("url")', true],
  ['Object.keys(state).includes("inbox.unread")', true],
  ['Math.max(...inbox.emails.map(e => e.size))', 32],
  ['Math.round(Math.PI)', 3],
  ['Number("12") + parseInt("12px", 10) + parseFloat("0.5")', 24.5],
  ['String(inbox.emails[0].tags)', 'a,b'],
  ['Boolean(inbox.selected)', false],
  ['isNaN(Number("x"))', true],
  ['Array.isArray(inbox.emails) && !Array.isArray(inbox)', true],
  ['inbox.emails[0].tags + ""', 'a,b'],
  ['inbox + ""', '[object Object]'],
];

describe('values', () => {
  for (const lengths of [true, false]) {
    it.each(values)(`%s (length keys: ${lengths})`, (expression, expected) => {
      const { value, passed, explanation } = compilePredicate(expression).evaluate(viewOf(mail, { lengths }));
      expect(value, explanation).toEqual(expected);
      expect(explanation).not.toContain('could not be evaluated');
      expect(passed).toBe(expected === 'NaN' ? false : Boolean(expected));
    });
  }
});

describe('keys', () => {
  it('reaches a key that is no path by its exact name', () => {
    const view = viewOfKeys({ 'odd key!': 1, 'a.b c': 2, 'x[': 3 });
    expect(compilePredicate('state["odd key!"] + state["a.b c"] + state["x["]').evaluate(view).value).toBe(6);
  });

  it('prefers keys of an app that themselves start with state or context', () => {
    const view = viewOfKeys({
      'state.count': 1,
      count: 2,
      'state.list[0]': 5,
      'context.user': 'me',
      'context.url': 'no',
    });
    expect(compilePredicate('state.count').evaluate(view).value).toBe(1);
    expect(compilePredicate('state["count"]').evaluate(view).value).toBe(2);
    expect(compilePredicate('state.list.includes(5)').evaluate(view).value).toBe(true);
    expect(compilePredicate('context.user').evaluate(view).value).toBe('me');
    expect(compilePredicate('context.url').evaluate(view).value).toBe('https://mail.example/inbox');
    expect(compilePredicate('state["context.url"]').evaluate(view).value).toBe('no');
    expect(compilePredicate('state === "open"').evaluate(viewOfKeys({ state: 'open' })).passed).toBe(true);
  });

  it('takes the length that the app has over the number of elements that are known', () => {
    const view = viewOfKeys({ 'list.length': 1000, 'list[0].on': true, 'list[1].on': true });
    expect(compilePredicate('list.length').evaluate(view).value).toBe(1000);
    const { passed, explanation } = compilePredicate('list.every(item => item.on)').evaluate(view);
    expect(passed).toBe(true);
    expect(explanation).toContain('Only the first 2 of 1000 elements of list are known.');
  });

  it('sees keys that come and go', () => {
    const view = viewOfKeys({ 'list[0]': 1 });
    const predicate = compilePredicate('list.length');
    expect(predicate.evaluate(view).value).toBe(1);
    view.map.set('list[1]', 2);
    view.keySetVersion += 1;
    expect(predicate.evaluate(view).value).toBe(2);
  });

  it('does not list the keys for paths that are keys, nor for properties of strings', () => {
    const view = viewOf(mail);
    for (const expression of ['inbox.unread > 1 && inbox.emails.length === 3', 'inbox.title.length', 'context.view']) {
      expect(compilePredicate(expression).evaluate(view).passed).toBe(true);
    }
    expect(view.keyListings).toBe(0);
    for (let time = 0; time < 3; time += 1) compilePredicate('inbox.emails.some(e => e.unread)').evaluate(view);
    expect(view.keyListings).toBe(1);
  });
});

describe('what JavaScript would throw', () => {
  it.each([
    ['unknown.property', 'TypeError: cannot read "property" of unknown, which is undefined'],
    ['inbox.selected.name', 'TypeError: cannot read "name" of inbox.selected, which is null'],
    ['inbox.emails[9].subject', 'cannot read "subject" of inbox.emails[9]'],
    ['inbox.emails.find(e => false).subject', 'cannot read "subject" of inbox.emails.find(e => false)'],
    ['inbox.unread.includes("2")', 'TypeError: inbox.unread.includes is not a function: inbox.unread is a number'],
    ['inbox.title.some(x => x)', 'inbox.title.some is not a function'],
    ['"a" in inbox.title', 'TypeError: the right side of "in"'],
    ['[].reduce((a, b) => a)', 'TypeError: reduce of an empty array'],
    ['Object.keys(unknown)', 'TypeError: cannot convert undefined'],
    ['(1).toFixed(101)', 'RangeError'],
    ['Math.max(...inbox.unread)', 'TypeError: inbox.unread cannot be spread'],
    ['!inbox.selected.name', 'cannot read "name"'],
  ])('%s', (expression, reason) => {
    const { passed, value, explanation } = compilePredicate(expression).evaluate(viewOf(mail));
    expect({ passed, value }).toEqual({ passed: false, value: null });
    expect(explanation).toContain('The predicate could not be evaluated: ');
    expect(explanation).toContain(reason);
  });
});

describe('actual', () => {
  it.each([
    ['inbox.unread === 0', 2],
    ['inbox.unread > 0 && inbox.unread < 9', 2],
    ['inbox.title.includes("box")', '  Inbox  '],
    ['inbox.selected === null', null],
    ['inbox.emails.length > 1', 3],
    ['context.view === "sent"', 'inbox'],
    ['state["inbox.unread"] === 2', 2],
  ])('%s is about one key', (expression, actual) => {
    expect(compilePredicate(expression).evaluate(viewOf(mail))).toMatchObject({ actual });
  });

  it.each([
    'inbox.unread === 9 && inbox.loading',
    'inbox.emails.some(e => e.unread)',
    'unknown === 1',
    '1 < 2',
    'inbox',
  ])('%s is not', (expression) => {
    expect(compilePredicate(expression).evaluate(viewOf(mail))).not.toHaveProperty('actual');
  });
});
