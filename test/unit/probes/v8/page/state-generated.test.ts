import { describe, expect, it } from 'vitest';
import { classNameOf, shortName } from '../../../../../src/probes/drivers/v8/page/state/frameworks/dom-names.ts';
import { nameFromElement } from '../../../../../src/probes/drivers/v8/page/state/frameworks/react-names.ts';
import { isLibraryId } from '../../../../../src/probes/drivers/v8/page/state/generated.ts';

describe('classes as names', () => {
  it.each<[string, string | null]>([
    ['iVhmbi', null],
    ['sc-bdVaJa iVhmbi', null],
    ['sc-bdVaJa bdvaja', null],
    ['jwpqNi', null],
    ['jKicgw', null],
    ['hydQzz', null],
    ['hPvmXe', null],
    ['css-1x2y3z', null],
    ['jss12', null],
    ['MuiBox-root-42', null],
    ['MuiBox-root css-1x2y3z', null],
    ['css-1x2y3z-Header', 'header'],
    ['Header_title__3kZ9s', 'headerTitle'],
    ['Header_title__xkZsQ', 'headerTitle'],
    ['_title_1x2y3_5', 'title'],
    ['styles_cart__a1B2c', 'cart'],
    ['Header__Title-sc-1abc-0 iVhmbi', 'headerTitle'],
    ['makeStyles-toolbar-12', 'toolbar'],
    ['p-4 new-track', 'newTrack'],
    ['card__title', 'cardTitle'],
    ['navBar', 'navbar'],
    ['todoList', 'todoList'],
    ['xAxis chart', 'xaxis'],
    ['menu-content', 'menuContent'],
    ['inbox', 'inbox'],
  ])('of "%s": %s', (classes, name) => {
    expect(classNameOf(classes)?.toLowerCase() ?? null).toBe(name?.toLowerCase() ?? null);
  });
});

describe('ids that a library made up', () => {
  it.each([
    ':r1:',
    '«r1»',
    'mui-36947',
    'react-select-2-input',
    'radix-:r0:',
    'headlessui-menu-button-3',
    'downshift-0-toggle-button',
    '0b6cbbd4-5f3e-4a53-9c69-4bd1f6c2a111',
  ])('are no names: %s', (id) => {
    expect(shortName(id)).toBeNull();
  });

  it.each([
    ['mui-36947', true],
    [':r1:', true],
    ['headlessui-menu-button-3', true],
    // The app may have chosen these.
    ['0b6cbbd4-5f3e-4a53-9c69-4bd1f6c2a111', false],
    ['order-17', false],
    ['mui', false],
    ['radix', false],
  ])('are no state: %s', (value, expected) => {
    expect(isLibraryId(value)).toBe(expected);
  });
});

describe('what an element says of itself', () => {
  const shown = (props: Record<string, unknown>) => [{ text: '', props, element: 'div', listLength: -1 }];

  it('is best in what was made for machines', () => {
    expect(nameFromElement(shown({ 'aria-label': 'Close', 'data-testid': 'cart', id: 'x1' }))).toBe('cart');
    expect(nameFromElement(shown({ id: ':r1:', 'aria-label': 'Close cart' }))).toBe('closeCart');
    expect(nameFromElement(shown({ className: 'sc-bdVaJa iVhmbi' }))).toBe('');
  });
});
