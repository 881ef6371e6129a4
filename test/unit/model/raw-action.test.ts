import { describe, expect, it } from 'vitest';
import { worstEffect } from '../../../src/model/raw-action.ts';

describe('the worst of several effects', () => {
  it('is the most that one of them may do', () => {
    expect(worstEffect(['none', 'setter', 'none'])).toBe('setter');
    expect(worstEffect(['look', 'control', 'setter'])).toBe('control');
    expect(worstEffect(['own-state', 'unknown', 'control'])).toBe('unknown');
  });

  it('is unknown where there is none: nothing was proven', () => {
    expect(worstEffect([])).toBe('unknown');
  });
});
