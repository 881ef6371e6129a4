import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parentOf, stepName } from '../../../src/dashboard/state/key-path.ts';
import { OpenBranches } from '../../../src/dashboard/state/open-branches.ts';
import { rowsOf } from '../../../src/dashboard/state/rows.ts';
import { KeyTree, type TreeNode } from '../../../src/dashboard/state/tree.ts';
import { formatPath, type Segment } from '../../../src/model/path.ts';

function treeOf(...keys: string[]): KeyTree {
  const tree = new KeyTree();
  for (const key of keys) tree.add(key);
  return tree;
}

function shown(tree: KeyTree, matches: ReadonlySet<TreeNode> | null = null, closed: readonly string[] = []): string[] {
  const rows = rowsOf({ tree, matches, isOpen: ({ path }) => !closed.includes(path) });
  return rows.map(({ name, depth }) => `${'  '.repeat(depth)}${name}`);
}

describe('keys', () => {
  it.each([
    ['cart', ''],
    ['cart.items', 'cart'],
    ['cart.items[0]', 'cart.items'],
    ['cart.items[0].name', 'cart.items[0]'],
    ['rates["odd.name[1]"]', 'rates'],
    ['rates["a\\"]["].x', 'rates["a\\"]["]'],
    ['["odd"]["two"]', '["odd"]'],
    ['["odd"]', ''],
    ['[3]', ''],
  ])('%s is below %j', (key, parent) => {
    expect(parentOf(key)).toBe(parent);
  });

  it('are taken apart as the daemon puts them together', () => {
    const segment: fc.Arbitrary<Segment> = fc.oneof(
      fc.nat(999),
      fc.string(),
      fc.constantFrom('a', 'b', '"]', '["', '.'),
    );
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), (segments) => {
        const path = formatPath(segments);
        expect(parentOf(path)).toBe(formatPath(segments.slice(0, -1)));
      }),
    );
  });

  it('show their last step without its dot', () => {
    expect(stepName('cart.items', 'cart')).toBe('items');
    expect(stepName('cart[0]', 'cart')).toBe('[0]');
    expect(stepName('cart', '')).toBe('cart');
  });
});

describe('the tree', () => {
  it('nests keys in the order of the app, elements by their index', () => {
    const tree = treeOf('b.x', 'a', 'b.list[0]', 'b.list[2]', 'b.list.length', 'b.list[1]');
    expect(shown(tree)).toEqual(['b', '  x', '  list', '    [0]', '    [1]', '    [2]', '    length', 'a']);
  });

  it('counts the values below each branch, and takes away what is empty', () => {
    const tree = treeOf('a.b.c', 'a.b.d', 'a.e');
    expect(tree.get('a')?.count).toBe(3);
    tree.remove(['a.b.c', 'a.b.d', 'nowhere']);
    expect(tree.get('a')?.count).toBe(1);
    expect(tree.get('a.b')).toBeUndefined();
    expect(shown(tree)).toEqual(['a', '  e']);
    tree.remove(['a.e']);
    expect(tree.size).toBe(0);
    expect(shown(tree)).toEqual([]);
  });

  it('keeps a key that has a value and keys below it', () => {
    const tree = treeOf('a', 'a.b');
    tree.remove(['a']);
    expect(shown(tree)).toEqual(['a', '  b']);
    tree.add('a');
    tree.remove(['a.b']);
    expect(shown(tree)).toEqual(['a']);
  });

  it('is the same whatever came and went in between', () => {
    const key = fc
      .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 })
      .map((steps) => steps.join('.'));
    fc.assert(
      fc.property(fc.uniqueArray(key), fc.array(key), (wanted, others) => {
        const tree = treeOf(...wanted, ...others);
        tree.remove(others.filter((other) => !wanted.includes(other)));
        expect(tree.size).toBe(wanted.length);
        expect(shown(tree).sort()).toEqual(shown(treeOf(...wanted)).sort());
      }),
    );
  });

  it('marks a change in all that the key is in', () => {
    const tree = treeOf('a.b.c', 'a.d');
    tree.touch('a.b.c', 5);
    expect(['a', 'a.b', 'a.b.c', 'a.d'].map((path) => tree.get(path)?.changedAtMs)).toEqual([5, 5, 5, 0]);
  });
});

describe('rows', () => {
  it('leave out what is in closed branches', () => {
    expect(shown(treeOf('a.b.c', 'd'), null, ['a.b'])).toEqual(['a', '  b', 'd']);
  });

  it('are those that match and what they are in', () => {
    const tree = treeOf('a.b.c', 'a.b.d', 'e.f');
    const match = tree.get('a.b.d');
    expect(shown(tree, new Set(match ? [match] : []))).toEqual(['a', '  b', '    d']);
  });
});

describe('what is open', () => {
  it('is what was opened, or all but what was closed', () => {
    const open = new OpenBranches(false);
    expect(open.isUntouched).toBe(true);
    open.set('a', true);
    expect([open.has('a'), open.has('b'), open.isUntouched]).toEqual([true, false, false]);
    open.setAll(true);
    open.set('a', false);
    expect([open.has('a'), open.has('b'), open.isUntouched]).toEqual([false, true, false]);
    open.setAll(false);
    expect([open.has('a'), open.has('b')]).toEqual([false, false]);
  });
});
