/** An evaluation can pause wherever its work grows with the state, and still evaluates one state. */
import { describe, expect, it } from 'vitest';
import { heldView } from '../../../../src/semantic/predicate/key-index.ts';
import { compilePredicate, type Evaluation } from '../../../../src/semantic/predicate/predicate.ts';
import { type TestView, viewOf } from './view-of.ts';

const LENGTH = 1000;
const state = () => ({
  list: Array.from({ length: LENGTH }, (_, index) => index),
  rows: Array.from({ length: LENGTH }, (_, index) => ({ id: index, text: `row ${index}` })),
  flags: { ready: true },
});

/** Calls `rest` at every possible pause. */
function evaluateWithRests(source: string, view: TestView, rest: (held: () => void) => void) {
  const { steps, hold } = compilePredicate(source).begin(view);
  let rests = 0;
  for (;;) {
    const step = steps.next();
    if (step.done) return { rests, evaluation: step.value };
    rests++;
    rest(() => hold(heldView(view)));
  }
}

describe('a pause is possible within', () => {
  it.each([
    'list.some(x => x < 0)',
    'list.every(x => x >= 0)',
    'list.filter(x => x > 5).length',
    'list.map(x => x + 1).length',
    'list.find(x => x < 0)',
    'list.findIndex(x => x < 0)',
    'list.reduce((sum, x) => sum + x, 0)',
    'rows.some(r => r.text.includes("none"))',
    'list.includes(-1)',
    'list.indexOf(-1)',
    'list.lastIndexOf(-1)',
    'list.slice(1).length',
    'list.concat(list).length',
    'list.join("").length',
    '[...list].length',
    'Math.max(...list)',
    'Object.keys(state).length',
    'Object.values(flags).concat(list).length',
    'Object.entries(state).length',
    'true && (list.includes(-1) || !list.includes(-2)) ? list.includes(-3) : 0',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the predicate is what has placeholders
    '`${list.includes(-1)}`.length',
    '[list.includes(-1)][0]',
    'list.includes(-1)?.toString().length',
    'lst.lenght === 3',
  ])('%s', (source) => {
    const { rests, evaluation } = evaluateWithRests(source, viewOf(state()), () => {});
    expect(rests).toBeGreaterThan(0);
    expect(evaluation).toEqual(compilePredicate(source).evaluate(viewOf(state())));
  });

  it('and is not asked for by what is small', () => {
    const view = viewOf({ cart: { total: 3, items: [{ name: 'a' }] } });
    for (const source of ['cart.total === 3', 'cart.items.some(i => i.name === "a")', 'cart.items.length > 0']) {
      compilePredicate(source).evaluate(view);
      expect(evaluateWithRests(source, view, () => {}).rests, source).toBe(0);
    }
  });
});

describe('the steps between two pauses', () => {
  it.each([
    ['an array as text', 'list + "" === ""'],
    ['arrays of arrays as text', '[list, list, list] + "" === ""'],
    [
      'a long text as elements',
      '[list.map(x => "0123456789".concat("0123456789", "0123456789", "0123456789")).join("")].map(t => t.concat(t, t, t).split(""))[0].length',
    ],
    ['a search for a long text in a long one', '[list.join("")].map(t => t.concat(t, t, t).includes(t))[0]'],
  ])('are bounded: %s', (_, source) => {
    expect(compilePredicate(source).evaluate(viewOf(state())).explanation).toContain('could not be evaluated: it');
  });
});

describe('a state that changes during a pause', () => {
  const outcome = ({ passed, value }: Evaluation) => ({ passed, value });

  it.each([
    ['list.filter(x => x >= 0).length', LENGTH],
    ['list.every(x => x === list[x])', true],
    ['rows.every(r => r.text === "row " + r.id)', true],
    ['Object.values(list).concat(list.map(x => list[x] - x)).filter(x => x === 0).length', LENGTH + 1],
  ])('is not seen: %s', (source, value) => {
    const view = viewOf(state());
    let isHeld = false;
    const { rests, evaluation } = evaluateWithRests(source, view, (hold) => {
      if (isHeld) return;
      hold();
      isHeld = true;
      for (const key of [...view.map.keys()].slice(0, 50)) view.map.delete(key);
      for (const key of view.map.keys()) view.map.set(key, -1);
      view.keySetVersion++;
    });
    expect(rests).toBeGreaterThan(1);
    expect(outcome(evaluation)).toEqual({ passed: true, value });
  });
});
