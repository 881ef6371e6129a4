import { describe, expect, it } from 'vitest';
import type { LeafUpdate } from '../../../../src/model/leaves.ts';
import { JAVA_VALUES } from '../../../../src/probes/drivers/jvm/java-values.ts';
import { CaptureMerger } from '../../../../src/probes/support/injected/capture-merger.ts';

const OBJECTS: LeafUpdate = { kind: 'full', paths: ['shop.open'], values: [true] };
const SAME: LeafUpdate = { kind: 'same' };
const ROOTS = [{ name: 'shop', origin: 'static fields of Shop', label: null }];
const told = { beans: null, rawCount: 1, coverage: 1 };

function screen(title: string, type: string, full = true) {
  const widgets = [{ id: 1, role: 'window', text: title, type, className: type }];
  return { toolkit: 'swing', full, windows: [1], widgets, removed: [] };
}

/** As after the first capture. */
function opened(type = 'Desk') {
  const merger = new CaptureMerger(100, JAVA_VALUES);
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

  it('has the agent give way where a window has the name of a root', () => {
    const { merger, areNamesFree } = opened('Shop');
    expect(areNamesFree).toBe(false);
    expect(merger.reservations).toEqual({ reservedNames: ['shop'], reservedKeys: 10 });
    // Asked once, whatever comes of it.
    expect(merger.takeNames({ screen: screen('Desk *', 'Shop', false), roots: ROOTS })).toBe(true);
  });

  it('keeps room for windows only where there are some', () => {
    const merger = new CaptureMerger(100, JAVA_VALUES);
    merger.takeNames({ screen: null, roots: ROOTS });
    merger.merge(OBJECTS, told);
    expect(merger.reservations).toEqual({ reservedNames: [], reservedKeys: 0 });
  });

  it('refuses what is no tree of widgets', () => {
    const { merger } = opened();
    expect(() => merger.takeNames({ screen: { windows: 1 }, roots: null })).toThrow();
    const wrong = { ...screen('x', 'x'), widgets: [{ id: 1, role: 'rocket' }] };
    expect(() => merger.takeNames({ screen: wrong, roots: null })).toThrow();
  });
});
