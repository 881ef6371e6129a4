import { describe, expect, it } from 'vitest';
import { ComponentRegistry } from '../../../../../src/probes/drivers/v8/page/state/frameworks/component-registry.ts';
import { readableClass } from '../../../../../src/probes/drivers/v8/page/state/generated.ts';

const guard = { isOpen: () => true, allows: () => true, trust: () => undefined };
const slots = [{ name: 'monitors', read: () => ['web'] }];

describe('the name of a component', () => {
  it('is the first that it had, whatever its heading or theme becomes', () => {
    const registry = new ComponentRegistry('Vue components', guard);
    const identity = {};
    const namesAfter = (name: string) => {
      registry.beginSearch();
      registry.add({ identity, name, listed: false, slots });
      Array.from(registry.endSearch(() => undefined));
      return Object.keys(registry.view);
    };
    const first = namesAfter('dashboard');
    expect(first).toHaveLength(1);
    expect(namesAfter('confirm')).toEqual(first);
    expect(namesAfter('')).toEqual(first);
  });

  it.each([
    ['light app-shell', 'app-shell'],
    ['theme-dark is-loading sidebar', 'sidebar'],
    ['dark', null],
    ['active rtl', null],
  ])('comes from no class of the moment: %s', (classes, name) => {
    expect(readableClass(classes)).toBe(name);
  });
});
