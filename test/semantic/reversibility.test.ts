import { describe, expect, it } from 'vitest';
import type { Effect } from '../../src/model/raw-action.ts';
import { hasDangerousName, judgeReversibility } from '../../src/semantic/reversibility.ts';
import { rawAction } from './raw-actions.ts';

const WORDS = ['delete', 'destroy', 'purge', 'wipe', 'reset', 'clear_all', 'terminate', 'shutdown', 'kill'];
const judge = (name: string, effect: Effect, ...others: string[]) =>
  judgeReversibility(rawAction(name, { effect }), new Set([name, ...others]));

describe('dangerous names', () => {
  it.each(WORDS)('%s, in any case and at any place', (word) => {
    const capital = `${word[0]?.toUpperCase()}${word.slice(1)}`;
    for (const name of [
      word,
      word.toUpperCase(),
      `cart.${word}Items`,
      `cart.do${capital}`,
      `x_${word}_y`,
      `${word}.run`,
    ]) {
      expect(hasDangerousName(name)).toBe(true);
      for (const effect of ['none', 'setter', 'own-state', 'unknown'] as const)
        expect(judge(name, effect)).toBe('irreversible_write');
    }
  });

  it.each(['clearAll', 'cart.ClearAll', 'CLEARALL', 'preset', 'skillUp'])('%s too', (name) => {
    expect(hasDangerousName(name)).toBe(true);
  });

  it.each(['clear', 'cart.add', 'remove', 'close', 'stop', '', 'show'])('not %j', (name) => {
    expect(hasDangerousName(name)).toBe(false);
  });
});

describe('judgeReversibility', () => {
  it.each<[string, Effect, string[], ReturnType<typeof judge>]>([
    ['cart.getTotal', 'none', [], 'reversible_read'],
    ['mail.send', 'none', [], 'reversible_read'],
    ['cart.setCoupon', 'setter', [], 'reversible_write'],
    ['mail.send', 'setter', [], 'irreversible_write'],
    ['mail.sendNow', 'own-state', ['mail.toggle'], 'irreversible_write'],
    ['cart.placeOrder', 'own-state', [], 'irreversible_write'],
    ['cart.toggle', 'own-state', [], 'reversible_write'],
    ['toggleMenu', 'own-state', [], 'reversible_write'],
    ['list.select_row', 'own-state', [], 'reversible_write'],
    ['list.selection', 'own-state', [], 'irreversible_write'],
    ['settings', 'own-state', [], 'irreversible_write'],
    ['cart.addItem', 'own-state', ['cart.removeItem'], 'reversible_write'],
    ['cart.removeItem', 'own-state', ['cart.addItem'], 'reversible_write'],
    ['cart.addItem', 'own-state', ['list.removeItem'], 'irreversible_write'],
    ['cart.addItem', 'own-state', ['cart.removeThing'], 'irreversible_write'],
    ['cart.address', 'own-state', ['cart.removeress'], 'irreversible_write'],
    ['open', 'own-state', ['close'], 'reversible_write'],
    ['cart.addItem', 'unknown', ['cart.removeItem'], 'irreversible_write'],
    ['cart.toggle', 'unknown', [], 'irreversible_write'],
    ['cart.run', 'unknown', [], 'irreversible_write'],
  ])('%s with effect %s beside %j is %s', (name, effect, others, expected) => {
    expect(judge(name, effect, ...others)).toBe(expected);
  });
});
