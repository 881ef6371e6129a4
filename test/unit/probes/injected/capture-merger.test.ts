import { describe, expect, it } from 'vitest';
import type { LeafUpdate } from '../../../../src/model/leaves.ts';
import { JAVA_VALUES } from '../../../../src/probes/drivers/jvm/java-values.ts';
import { CaptureMerger } from '../../../../src/probes/support/injected/capture-merger.ts';

const OBJECTS: LeafUpdate = { kind: 'full', paths: ['shop.open'], values: [true] };
const SAME: LeafUpdate = { kind: 'same' };
const SHOP = { id: 1, kind: 'local', type: null, name: 'shop', where: 'Main.main' } as const;
const ROOTS = { order: [1], added: [SHOP] };
const TRAITS = { types: { simple: (type: string) => type, withOuter: () => null }, reserved: [] };
const told = { beans: null, rawCount: 1, coverage: 1 };

function screen(title: string, type: string, full = true) {
  const widgets = [{ id: 1, role: 'window', text: title, type, className: type }];
  return { toolkit: 'swing', full, windows: [1], widgets, removed: [] };
}

/** As after the first capture. */
function opened(type = 'Desk') {
  const merger = new CaptureMerger(100, TRAITS, JAVA_VALUES);
  const areNamesFree = merger.takeNames({ screen: screen('Desk', type), roots: ROOTS });
  return { merger, areNamesFree, first: merger.merge(OBJECTS, told) };
}

describe('a capture of a program with windows', () => {
  it('has the windows first', () => {
    const { first, areNamesFree } = opened();
    expect(areNamesFree).toBe(true);
    expect(first.leaves).toEqual({ kind: 'full', paths: ['desk.title', 'shop.open'], values: ['Desk', true] });
    expect(first.roots?.map(({ name }) => name)).toEqual(['desk', 'shop']);
    expect(first.actions?.map(({ name }) => name)).toEqual(['desk.close_window']);
    expect(first).toMatchObject({ rawCount: 2, coverage: 1 });
  });

  it('tells nothing when nothing has changed', () => {
    const { merger } = opened();
    expect(merger.takeNames({ screen: null, roots: null })).toBe(true);
    expect(merger.merge(SAME, told)).toMatchObject({ leaves: SAME, roots: null, actions: null });
  });

  it('tells of a change in a window, and of no action that is the same', () => {
    const { merger } = opened();
    merger.takeNames({ screen: screen('Desk', 'Desk', false), roots: null });
    expect(merger.merge(SAME, told)).toMatchObject({ leaves: SAME, roots: null, actions: null });
    merger.takeNames({ screen: screen('Desk *', 'Desk', false), roots: null });
    const after = merger.merge({ kind: 'delta', changed: [[0, false]], added: [], removed: [] }, told);
    expect(after.leaves).toEqual({
      ...{ kind: 'delta', added: [], removed: [] },
      changed: [
        [0, 'Desk *'],
        [1, false],
      ],
    });
    expect(after.actions?.[0]?.description).toBe('Asks the window "Desk *" to close');
  });

  it('gives a window its name, and a root that is new with it another one', () => {
    const { merger, areNamesFree } = opened('Shop');
    expect(areNamesFree).toBe(true);
    expect(merger.objects.named('1.open')).toBe('shop_2.open');
    expect(merger.reservedKeys).toBe(10);
  });

  it('needs all leaves once more where a window opens with the name of a root', () => {
    const { merger } = opened();
    expect(merger.takeNames({ screen: screen('Shop', 'Shop'), roots: null })).toBe(false);
    expect(merger.objects.named('1.open')).toBe('shop_2.open');
    expect(merger.takeNames({ screen: screen('Shop *', 'Shop', false), roots: ROOTS })).toBe(true);
    expect(merger.merge(OBJECTS, told).roots?.map(({ name }) => name)).toEqual(['shop', 'shop_2']);
  });

  it('keeps room for windows only where there are some', () => {
    const merger = new CaptureMerger(100, TRAITS, JAVA_VALUES);
    merger.takeNames({ screen: null, roots: ROOTS });
    merger.merge(OBJECTS, told);
    expect(merger.reservedKeys).toBe(0);
  });

  it('refuses what is no tree of widgets', () => {
    const { merger } = opened();
    expect(() => merger.takeNames({ screen: { windows: 1 }, roots: null })).toThrow();
    const wrong = { ...screen('x', 'x'), widgets: [{ id: 1, role: 'rocket' }] };
    expect(() => merger.takeNames({ screen: wrong, roots: null })).toThrow();
  });
});
