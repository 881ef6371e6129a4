/** Closing a window is irreversible; closing a part of it is reversible. */
import { describe, expect, it } from 'vitest';
import type { RawAction } from '../../../../../src/model/raw-action.ts';
import { asWindowControl } from '../../../../../src/probes/drivers/v8/browser/window-controls.ts';
import type { WidgetFacts } from '../../../../../src/probes/insight/screen/screen-facts.ts';
import { ScreenSource } from '../../../../../src/probes/insight/screen/screen-source.ts';
import { judgeReversibility } from '../../../../../src/semantic/reversibility.ts';

const FRAME: WidgetFacts = { id: 1, role: 'window', text: 'Desk', className: 'app.DeskFrame' };
const DIALOG: WidgetFacts = { id: 90, role: 'window', text: 'Find', className: 'app.Find', modal: false };

function kinds(windows: readonly WidgetFacts[], widgets: readonly WidgetFacts[], toolkit: 'swing' | 'forms') {
  const source = new ScreenSource();
  source.apply({
    ...{ toolkit, full: true, windows: windows.map(({ id }) => id), removed: [] },
    widgets: [...windows, ...widgets],
  });
  const { actions } = source.screen;
  const names = new Set(actions.map(({ name }) => name));
  return Object.fromEntries(actions.map((action) => [action.name, judgeReversibility(action, names)]));
}

describe.each(['swing', 'forms'] as const)('in windows of %s', (toolkit) => {
  it.each([
    ['Close', 'irreversible_write'],
    ['Close window', 'irreversible_write'],
    ['Close All', 'irreversible_write'],
    ['Close project', 'irreversible_write'],
    ['Exit', 'irreversible_write'],
    ['Quit', 'irreversible_write'],
    ['Close sidebar', 'reversible_write'],
    ['Close tab', 'reversible_write'],
    ['Open settings', 'reversible_write'],
    ['Select all', 'reversible_write'],
  ])('the menu item File > %s is %s', (text, expected) => {
    const menu: WidgetFacts = { id: 2, role: 'menu', text: 'File', children: [3] };
    const item: WidgetFacts = { id: 3, role: 'item', text };
    const found = kinds([{ ...FRAME, children: [2] }], [menu, item], toolkit);
    const name = Object.keys(found).find((each) => each.includes('.file.')) ?? '';
    expect(found[name]).toBe(expected);
  });

  it('a button "Close" closes the window it stands in, and a dialog is a part of the screen', () => {
    const button: WidgetFacts = { id: 2, role: 'button', text: 'Close', x: 0, y: 0, width: 60, height: 20 };
    const inFrame = kinds([{ ...FRAME, children: [2] }], [button], toolkit);
    expect(inFrame).toMatchObject({
      'window.close': 'irreversible_write',
      'window.close_window': 'irreversible_write',
    });
    const inDialog = kinds([FRAME, { ...DIALOG, children: [2] }], [button], toolkit);
    expect(inDialog).toMatchObject({
      'dialog.close': 'reversible_write',
      'dialog.close_window': 'reversible_write',
      'window.close_window': 'irreversible_write',
    });
  });

  it('to close a dialog that is all there is of a program ends it', () => {
    expect(kinds([DIALOG], [], toolkit)).toEqual({ 'dialog.close_window': 'irreversible_write' });
  });
});

describe('in a desktop program whose windows are pages', () => {
  const control = (name: string, description: string, effect: RawAction['effect'] = 'control'): RawAction => ({
    ...{ binding: name, name, parameters: [], returns: 'void', effect, description },
  });
  const kindOf = (action: RawAction) => judgeReversibility(asWindowControl(action), new Set());

  it.each([
    [control('close', 'Button "Close"'), 'irreversible_write'],
    [control('title_bar.close_window', 'Button "Close window"'), 'irreversible_write'],
    [control('close', 'Button "Close"', 'look'), 'irreversible_write'],
    [control('close', 'Button "Close" in "Settings"'), 'reversible_write'],
    [control('close_menu', 'Button "Close menu"'), 'reversible_write'],
    [control('minimize', 'Button "Minimize"'), 'reversible_write'],
  ])('%j is %s', (action, expected) => {
    expect(kindOf(action)).toBe(expected);
  });
});
