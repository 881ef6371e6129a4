import { describe, expect, it } from 'vitest';
import type { ActionSchema } from '../../../src/client/index.ts';
import { actionLines, rankActions } from '../../../src/mcp/action-lines.ts';
import { meantActions } from '../../../src/mcp/action-text.ts';
import { KeyFilter } from '../../../src/model/key-filter.ts';
import type { StateLook } from '../../../src/model/state-look.ts';
import { finished, longestStep, lookAtObjects } from './states.ts';

const action = (description = '', parameters: ActionSchema['parameters'] = []): ActionSchema => ({
  signature: `fn(${parameters.map(({ name, type_name }) => `${name}: ${type_name}`).join(', ')}) -> void`,
  reversibility: 'irreversible_write',
  description,
  confidence: 1,
  parameters,
});
const named = (names: readonly string[], description?: string) =>
  Object.fromEntries(names.map((name) => [name, action(description)]));

function lines(actions: Record<string, ActionSchema>, look: StateLook, room = 3800) {
  const steps = rankActions(actions, look);
  for (let step = steps.next(); ; step = steps.next())
    if (step.done) return actionLines(actions, step.value, look, room);
}

const look = lookAtObjects(
  { 'store.cart.total': 1, 'editor.doc.first': 1, 'editor.display.view[0].map[3]': 1, 'rows[0].x': 1, lib: 0 },
  (key) => (key.startsWith('editor') ? 0.05 : key.startsWith('store') ? 0.9 : 0.4),
);

describe('a list of actions', () => {
  it('has the screen first, then what matters, and libraries by their globs', () => {
    const actions = named([
      'editor.getValue',
      'rows[*].open',
      'store.cart.add',
      'elsewhere.run',
      'execute',
      'navigate',
    ]);
    const { lines: found, left } = lines(actions, look);
    expect(found.map((line) => line.split('(')[0])).toEqual([
      '[irreversible_write]  execute',
      'store.cart.add',
      'rows[*].open',
      'elsewhere.run',
      '[irreversible_write]  navigate',
    ]);
    expect(found.at(-1)).toBe('[irreversible_write]  navigate');
    expect([...left]).toEqual([['editor.*', 1]]);
  });

  it('tells of controls without a name once, however many there are', () => {
    const unnamed = (at: number, place: string): [string, ActionSchema] => [
      `button_${at}_in_${place}`,
      action(`Button "number ${at}, which has no name" in "${place}"`),
    ];
    const actions = Object.fromEntries([
      ...Array.from({ length: 14 }, (_, at) => unnamed(at + 1, 'food')),
      unnamed(1, 'rent'),
      unnamed(2, 'rent'),
    ]);
    expect(lines(actions, look).lines).toEqual([
      '[irreversible_write]  button_1_in_food to button_14_in_food (14 without a name)  button_1_in_rent  button_2_in_rent',
    ]);
  });

  it('is searched by what a control shows and by its title, not by what is said of one without a name', () => {
    const actions = {
      text: action('Button "text", "Switch to text mode"'),
      button_2: action('Button "number 2, which has no name"'),
    };
    const meant = (glob: string) => Object.keys(finished(meantActions(actions, look, new KeyFilter([glob]))));
    expect(meant('**.*switch*')).toEqual(['text']);
    expect(meant('**.*name*')).toEqual([]);
    expect(meant('*button*')).toEqual(['button_2']);
  });

  it.each([
    [40, 200],
    [80, 60],
    [150, 30],
  ])('has all %i actions of the screen, however much they say of themselves', (count, words) => {
    const screen = Array.from({ length: count }, (_, at) => `button_${at}_of_it`);
    const methods = Array.from({ length: 170 }, (_, at) => `store.cart.method${at}`);
    const actions = { ...named(methods), ...named(screen, 'word '.repeat(words)) };
    const { lines: found, left } = lines(actions, look);
    const text = found.join('\n');
    expect(text.length).toBeLessThanOrEqual(3800);
    for (const name of screen) expect(text).toContain(name);
    const told = methods.filter((name) => text.includes(`${name}(`)).length;
    expect(told).toBeLessThanOrEqual(12);
    expect([...left]).toEqual([['store.cart.*', 170 - told]]);
  });

  it('has the methods of a program, of no object too many', () => {
    const methods = ['store.cart', 'rows[*]'].flatMap((holder) =>
      Array.from({ length: 50 }, (_, at) => `${holder}.method${at}`),
    );
    const { lines: found, left } = lines(named(methods), look);
    expect(found).toHaveLength(80);
    expect([...left]).toEqual([
      ['store.cart.*', 10],
      ['rows[*].*', 10],
    ]);
  });

  it('names what an action takes also where there is little room', () => {
    const parameters = [
      { name: 'to', type_name: 'string' as const, required: true },
      { name: 'text', type_name: 'string' as const, required: false },
    ];
    const actions = { send: action('Sends.', parameters), ...named(Array.from({ length: 200 }, (_, at) => `b${at}`)) };
    const told = (room: number) => lines(actions, look, room).lines;
    expect(told(1500)[0]).toBe('send(to: string, text?: string)  [irreversible_write]  Sends.');
    expect(told(1500)[1]).toMatch(/^\[irreversible_write\] {2}b0 {2}b1/);
    expect(told(1130)[0]).toMatch(/^\[irreversible_write\] {2}send\(to, text\?\) {2}b0 {2}b1/);
  });

  it('has buttons that say no more than their names on one line', () => {
    const actions = {
      close_sidebar: action('Button "close" in "Sidebar"'),
      save: action('Button "Save" in "Invoice 17"'),
      print: action('Button "Print" in "Invoice 17"'),
      open: action(''),
    };
    expect(lines(actions, look).lines).toEqual([
      '[irreversible_write]  close_sidebar  open',
      '[irreversible_write] in "Invoice 17":  save  print',
    ]);
  });

  it('says when not even the names of a screen fit', () => {
    const actions = named(Array.from({ length: 2000 }, (_, at) => `a_button_with_number_${at}`));
    const { lines: found, left } = lines(actions, look);
    expect(found.join('\n').length).toBeLessThanOrEqual(3800);
    const told = found.join().match(/a_button/g)?.length ?? 0;
    expect(told).toBeGreaterThan(120);
    expect([...left]).toEqual([['*<part of a name>*', 2000 - told]]);
  });

  it('tells what may be chosen, and what a field holds', () => {
    const value = { name: 'value', type_name: 'string', required: true } as const;
    const choice = { ...value, description: 'one of: Hand | Rectangle' };
    const actions = {
      set_tool: action('Sets the field "Tool"', [choice]),
      set_title: action('', [value]),
    };
    const screen = lookAtObjects({ 'fields.tool': 'Hand', 'fields.title': 'New Tiddler' });
    expect(lines(actions, screen).lines).toEqual([
      'set_tool(value: "Hand" | "Rectangle" = "Hand")  [irreversible_write]  Sets the field "Tool"',
      'set_title(value: string = "New Tiddler")  [irreversible_write]',
    ]);
    expect(lines(actions, screen, 90).lines).toEqual([
      '[irreversible_write]  set_tool(value = "Hand")  set_title(value = "New Tiddler")',
    ]);
    const meant = (glob: string) => Object.keys(finished(meantActions(actions, screen, new KeyFilter([glob]))));
    expect(meant('**.*Rectangle*')).toEqual(['set_tool']);
    expect(meant('*Tiddler*')).toEqual(['set_title']);
    expect(meant('set_*')).toEqual(['set_tool', 'set_title']);
    expect(meant('**.*value*')).toEqual(['set_tool', 'set_title']);
  });

  it('are chosen in steps that are short, however many there are', () => {
    const names = Array.from({ length: 5000 }, (_, at) => `set_${at}`);
    const held = lookAtObjects(Object.fromEntries(names.map((name) => [`fields.${name.slice(4)}`, 'text'])));
    const filter = new KeyFilter(['none']);
    expect(longestStep(held, (look) => meantActions(named(names), look, filter))).toBeLessThan(100);
  });

  it('has all that a window offers, its menus too', () => {
    const menus = Array.from({ length: 90 }, (_, at) => `window.menu_${at % 6}.item_${at}`);
    const actions = { ...named(menus), ...named(['store.cart.add', 'window.save']) };
    const text = lines(actions, look).lines.join('\n');
    for (const name of [...menus, 'window.save', 'store.cart.add']) expect(text).toContain(name);
  });

  it('says what was not judged yet', () => {
    const actions = { 'store.cart.add': { ...action('Method add of Cart'), judged: false as const } };
    expect(lines(actions, look).lines).toEqual(['store.cart.add()  [not judged yet]']);
  });

  it('takes functions of the app for no part of its screen, and leaves hooks of frameworks to those who ask', () => {
    const functions = named(['start', 'created', 'store.cart.render', 'store.cart.update'], 'Function it of the app.');
    const { lines: found, left } = lines({ ...functions, ...named(['save']) }, look);
    expect(found).toEqual([
      '[irreversible_write]  save',
      'store.cart.update()  [irreversible_write]',
      'start()  [irreversible_write]',
    ]);
    expect([...left]).toEqual([
      ['*', 1],
      ['store.cart.*', 1],
    ]);
  });

  it('leaves minified methods to those who ask', () => {
    const parameter = (name: string) => ({ name, type_name: 'string', required: true }) as const;
    const actions = {
      'store.cart.set': action('', [parameter('e'), parameter('r2')]),
      'store.cart.put': action('', [parameter('id'), parameter('count')]),
      'store.cart.remove': action('', [parameter('id')]),
      'store.cart.move': action('', [parameter('x'), parameter('y')]),
    };
    const { lines: found, left } = lines(actions, look);
    expect(found).toEqual([
      'store.cart.put(id: string, count: string)  [irreversible_write]',
      'store.cart.remove(id: string)  [irreversible_write]',
      'store.cart.move(x: string, y: string)  [irreversible_write]',
    ]);
    expect([...left]).toEqual([['store.cart.*', 1]]);
  });
});
