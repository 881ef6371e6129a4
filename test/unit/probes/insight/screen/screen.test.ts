import { describe, expect, it } from 'vitest';
import type { ScreenUpdate, WidgetFacts } from '../../../../../src/probes/insight/screen/screen-facts.ts';
import { ScreenSource } from '../../../../../src/probes/insight/screen/screen-source.ts';

const WINDOW: WidgetFacts = { id: 1, role: 'window', text: 'Desk', type: 'DeskFrame', className: 'app.DeskFrame' };
const PLACE = { x: 100, y: 10, width: 100, height: 20 };

/** One window with these widgets. */
function show(widgets: WidgetFacts[], options: Partial<ScreenUpdate> & { window?: Partial<WidgetFacts> } = {}) {
  const source = new ScreenSource();
  const { window, ...update } = options;
  const children = widgets.map(({ id }) => id);
  source.apply({
    ...{ toolkit: 'swing', full: true, windows: [1], removed: [] },
    widgets: [{ ...WINDOW, children, ...window }, ...widgets],
    ...update,
  });
  return source;
}

const leavesOf = (source: ScreenSource) => Object.fromEntries(source.screen.leaves);
const actionsOf = (source: ScreenSource) => source.screen.actions.map(({ name }) => name);
const text = (id: number, facts: Partial<WidgetFacts> = {}): WidgetFacts => ({
  ...{ id, role: 'text', value: 'x', editable: true, ...PLACE },
  ...facts,
});
const label = (id: number, facts: Partial<WidgetFacts>): WidgetFacts => ({
  ...{ id, role: 'label', x: 10, y: 10, width: 80, height: 20 },
  ...facts,
});

describe('the name of a field', () => {
  it.each<[string, WidgetFacts[]]>([
    ['the label that is tied to it', [label(2, { text: 'Guest:', labelFor: 3, y: 500 }), text(3)]],
    ['the label beside it', [label(2, { text: 'Guest:' }), text(3)]],
    ['the label above it', [label(2, { text: 'Guest', x: 100, y: -14 }), text(3)]],
    ['what it is called for people who do not see it', [text(3, { accessible: 'Guest' })]],
    ['the border around it alone', [{ id: 2, role: 'group', border: 'Guest', children: [3] }, text(3)]],
    ['its tip, if that is short', [text(3, { tip: 'Guest (Alt+G)' })]],
    ['what the app calls it', [text(3, { name: 'guest' })]],
    ['its variable, without what the component is', [text(3, { field: 'txtGuestField' })]],
    ['its own class', [text(3, { type: 'GuestField' })]],
  ])('is %s', (_, widgets) => {
    const children = widgets.some(({ role }) => role === 'group') ? [2] : widgets.map(({ id }) => id);
    expect(leavesOf(show(widgets, { window: { children } }))).toMatchObject({ 'desk_frame.guest': 'x' });
  });

  it('is none of those that Swing gives itself', () => {
    expect(actionsOf(show([text(3, { name: 'Spinner.formattedTextField' })]))).toContain('desk_frame.set_text');
    expect(actionsOf(show([text(3, { name: 'frame12' })]))).toContain('desk_frame.set_text');
  });

  it('is not a label that says its value itself, nor a sentence', () => {
    const said = leavesOf(show([label(2, { text: 'Total: 42.50' }), text(3)]));
    expect(said).toMatchObject({ 'desk_frame.total': 42.5, 'desk_frame.text': 'x' });
  });

  it('says in which section it is when others are called the same', () => {
    const widgets: WidgetFacts[] = [
      { id: 2, role: 'group', border: 'Sender', children: [3, 4] },
      text(3, { name: 'town' }),
      text(4, { name: 'street', y: 40 }),
      { id: 5, role: 'group', border: 'Receiver', children: [6, 7] },
      text(6, { name: 'town', y: 70 }),
      text(7, { name: 'street', y: 100 }),
    ];
    expect(actionsOf(show(widgets, { window: { children: [2, 5] } })).sort()).toEqual(
      expect.arrayContaining(['desk_frame.set_receiver_town', 'desk_frame.set_sender_street']),
    );
  });

  it('stays when the other of the same name goes', () => {
    const source = show([text(3, { name: 'guest', value: 'first' }), text(4, { name: 'guest', value: 'second' })]);
    expect(leavesOf(source)).toMatchObject({ 'desk_frame.guest': 'first', 'desk_frame.guest_2': 'second' });
    const widgets = [{ ...WINDOW, children: [4] }];
    source.apply({ toolkit: 'swing', full: false, windows: [1], widgets, removed: [3] });
    expect(leavesOf(source)).toEqual({ 'desk_frame.title': 'Desk', 'desk_frame.guest_2': 'second' });
  });

  it('is that of a variable in Windows Forms, and a label with a colon says nothing there', () => {
    const widgets = [label(2, { text: 'Lost:', y: 300 }), text(3, { name: 'txtGuest1' })];
    expect(leavesOf(show(widgets, { toolkit: 'forms' }))).toEqual({
      'desk_frame.title': 'Desk',
      'desk_frame.guest1': 'x',
    });
  });
});

describe('windows', () => {
  const other: WidgetFacts = { id: 9, role: 'window', text: 'Sure?', modal: true, className: 'javax.swing.JDialog' };

  it('are in order: the one in front, the newest, those that are blocked', () => {
    const source = new ScreenSource();
    const widgets: WidgetFacts[] = [{ ...WINDOW, blocked: true }, { ...WINDOW, id: 2, type: 'Other' }, other];
    source.apply({ toolkit: 'swing', full: true, windows: [1, 2, 9], widgets, removed: [] });
    expect(source.screen.roots.map(({ name }) => name)).toEqual(['dialog', 'other', 'desk_frame']);
    expect(source.screen.roots[0]?.origin).toBe('window "Sure?" (javax.swing.JDialog)');
    expect(source.screen.front).toEqual({ title: 'Sure?', name: 'dialog' });
    source.apply({
      ...{ toolkit: 'swing', full: false, windows: [1, 2, 9], removed: [] },
      widgets: [{ ...WINDOW, id: 2, type: 'Other', active: true }],
    });
    expect(source.screen.front?.name).toBe('other');
  });

  it('keep their names when one of the same name opens in front of them', () => {
    const source = show([]);
    source.apply({
      ...{ toolkit: 'swing', full: false, windows: [1, 2], removed: [] },
      widgets: [{ ...WINDOW, id: 2, text: 'Second', active: true }],
    });
    expect(leavesOf(source)).toEqual({ 'desk_frame_2.title': 'Second', 'desk_frame.title': 'Desk' });
    source.apply({ toolkit: 'swing', full: false, windows: [2], widgets: [], removed: [1] });
    expect(leavesOf(source)).toEqual({ 'desk_frame_2.title': 'Second' });
  });

  it('that are blocked show what stands in them, and offer nothing', () => {
    const source = show([text(3, { name: 'guest' })], { window: { blocked: true } });
    expect(leavesOf(source)).toMatchObject({ 'desk_frame.guest': 'x' });
    expect(actionsOf(source)).toEqual([]);
  });

  it('that hold thousands of fields and labels, all alike, cost what they hold and not the square of it', () => {
    const cpuMs = (count: number) => {
      const widgets = Array.from({ length: count }, (_, at): WidgetFacts => {
        const place = { x: (at % 50) * 60, y: Math.floor(at / 50) * 24 };
        return at % 2 === 0
          ? label(at + 2, { text: 'Guest name', ...place })
          : text(at + 2, { name: 'guest', ...place });
      });
      const before = process.cpuUsage();
      expect(show(widgets).screen.leaves.size).toBeGreaterThan(count / 2);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    const best = (count: number) => Math.min(...Array.from({ length: 5 }, () => cpuMs(count)));
    best(500);
    // 8 times as many should take 8 times the cost, not 64 times.
    expect(best(4_800) / best(600)).toBeLessThan(24);
  });

  it('that are nested without end are cut', () => {
    const nested = Array.from(
      { length: 5_000 },
      (_, at): WidgetFacts => ({ id: at + 2, role: 'group', children: [at + 3] }),
    );
    expect(leavesOf(show(nested, { window: { children: [2] } }))).toEqual({ 'desk_frame.title': 'Desk' });
  });

  it('are no more than an agent may know', () => {
    const source = show([]);
    const update = (from: number): ScreenUpdate => ({
      ...{ toolkit: 'swing', full: false, windows: [1], removed: [] },
      widgets: Array.from({ length: 6_000 }, (_, at): WidgetFacts => ({ id: from + at, role: 'group' })),
    });
    expect(() => {
      for (let round = 1; round < 5; round++) source.apply(update(round * 10_000));
    }).toThrow('too many widgets');
  });

  it('survive a tree that makes no sense', () => {
    const source = show([{ id: 2, role: 'group', children: [1, 2, 3, 77] }, text(3, { name: 'guest' })], {
      window: { children: [2, 2, 3] },
    });
    expect(leavesOf(source)).toEqual({ 'desk_frame.title': 'Desk', 'desk_frame.guest': 'x' });
  });
});

describe('what a control does', () => {
  const button = (facts: Partial<WidgetFacts>) => show([{ id: 2, role: 'button', ...PLACE, ...facts }]);

  it.each([
    [{ text: 'Next' }, 'control'],
    [{ text: 'Save order' }, 'unknown'],
    [{ text: 'Check out' }, 'unknown'],
    [{ text: '…', tip: 'Delete (Ctrl+D)' }, 'unknown'],
    [{ text: 'Exit' }, 'unknown'],
  ])('is told by the words %j', (facts, effect) => {
    expect(button(facts).screen.actions[0]?.effect).toBe(effect);
  });

  it.each([
    ['Show grid', 'setter'],
    ['Enable alarm', 'control'],
    ['Accept terms', 'unknown'],
  ])('is told by the words of a check box: %s', (words, effect) => {
    const source = show([{ id: 2, role: 'check', text: words, value: false, ...PLACE }]);
    expect(source.screen.actions[0]?.effect).toBe(effect);
  });

  it('is the choice among the radio buttons of a group', () => {
    const radio = (id: number, words: string, facts: Partial<WidgetFacts> = {}): WidgetFacts => ({
      ...{ id, role: 'radio', text: words, group: 7, value: false, ...PLACE },
      ...facts,
    });
    const source = show([radio(2, 'Card', { disabled: true }), radio(3, 'Cash', { selected: true })]);
    expect(leavesOf(source)).toMatchObject({
      'desk_frame.choice.value': 'Cash',
      'desk_frame.choice.options.length': 2,
    });
    expect(source.screen.actions[0]).toMatchObject({
      name: 'desk_frame.set_choice',
      parameters: [{ name: 'value', type: 'string', description: 'one of: Card | Cash' }],
    });
  });

  it('is named by the words that a button without any covers, and by no others', () => {
    const tile: WidgetFacts = { id: 4, role: 'button', x: 0, y: 0, width: 120, height: 60 };
    const words = [label(2, { text: 'Merge' }), label(3, { text: 'Beside it', x: 300 })];
    expect(actionsOf(show([...words, tile]))).toContain('desk_frame.merge');
    expect(actionsOf(show([...words, { ...tile, x: 150 }]))).toEqual(['desk_frame.close_window']);
    expect(actionsOf(show([...words, { ...tile, text: 'Go' }]))).toContain('desk_frame.go');
  });

  it('is named by the id of a control of JavaFX, without what the control is', () => {
    const shown = show([text(3, { name: 'guestNameField' })], { toolkit: 'javafx' });
    expect(leavesOf(shown)).toMatchObject({ 'desk_frame.guest_name': 'x' });
  });

  it('is bounded in number', () => {
    const many = Array.from({ length: 700 }, (_, at): WidgetFacts => ({ id: at + 2, role: 'button', text: `b${at}` }));
    expect(show(many).screen.actions.length).toBe(600);
  });

  it('cuts long texts and long lists of choices', () => {
    const shown = Array.from({ length: 100 }, (_, at) => `choice number ${at}`);
    const source = show([
      { id: 2, role: 'choice', name: 'size', rows: { shown, total: 5000 }, ...PLACE },
      text(3, { name: 'long', value: 'a'.repeat(9_000) }),
    ]);
    expect(source.screen.actions[0]?.parameters[0]?.description).toMatch(/^one of: choice .* \| … and \d+ more$/);
    expect(source.screen.leaves.get('desk_frame.size.options.length')).toBeUndefined();
    expect(source.screen.leaves.get('desk_frame.long')).toBe(`${'a'.repeat(4096)}… [9000 characters]`);
  });
});
