import { describe, expect, it } from 'vitest';
import { openingsAmong } from '../../../src/mcp/opening-words.ts';
import type { KeyChange } from '../../../src/model/state-look.ts';

const change = (key: string, before: KeyChange['before'], after: KeyChange['after']): KeyChange => ({
  key,
  before,
  after,
});
const words = (...changes: KeyChange[]) => openingsAmong(changes).openings.map(({ text }) => text);

describe('what opened', () => {
  it.each<[KeyChange, string]>([
    [change('dialogs.settings.open', false, true), 'dialog settings opened'],
    [change('dialogs.settings.open', true, undefined), 'dialog settings closed'],
    [change('menus.file.open', undefined, true), 'menu file opened'],
    [change('frames.shop.menus.file.open', true, undefined), 'menu file closed'],
    [change('expanded.filters', false, true), 'filters expanded'],
    [change('expanded.filters', true, false), 'filters collapsed'],
    [change('tabs.view', 'List', 'Map'), 'tab "Map" chosen (tabs.view)'],
    [change('status.toast', '', 'Saved'), 'message shown: "Saved" (status.toast)'],
    [change('lists.files[3].expanded', false, true), 'lists.files[3] expanded'],
    [change('lists.files[1].selected', false, true), 'lists.files[1] selected'],
  ])('is told in words: %j', (opened, text) => {
    expect(words(opened)).toEqual([text]);
  });

  it('is no value, no tab of the browser, and nothing that came with a whole page', () => {
    const others = [
      change('tabs[0].title', 'Orders', 'Order 7'),
      change('expanded.filters', undefined, false),
      change('cart.open', false, true),
      change('status.progress', 'half', 'done'),
      change('lists.files[9].expanded', undefined, false),
    ];
    expect(openingsAmong(others)).toEqual({ openings: [], others });
  });

  it('leaves out the items of a menu that closed', () => {
    const { others } = openingsAmong([
      change('menus.file.items[0]', 'New', undefined),
      change('menus.file.items.length', 1, undefined),
      change('menus.edit.items[0]', undefined, 'Undo'),
      change('menus.edit.items.length', undefined, 1),
    ]);
    expect(others.map(({ key }) => key)).toEqual(['menus.edit.items[0]']);
  });
});
