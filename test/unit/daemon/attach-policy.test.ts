import { describe, expect, it } from 'vitest';
import { type AttachFacts, judge } from '../../../src/daemon/attach-policy.ts';

const PLAIN: AttachFacts = {
  isKnown: false,
  tool: null,
  startedBy: null,
  hasWindow: false,
  listens: false,
  runsOthers: false,
  ageMs: 60_000,
  settleMs: 0,
  load: 0.01,
  isForeign: false,
  isExposed: false,
};
const verdict = (facts: Partial<AttachFacts>, mode: 'apps' | 'all' | 'asked' = 'apps') =>
  judge({ ...PLAIN, ...facts }, mode);

describe('who is attached to without being asked', () => {
  it.each<[string, Partial<AttachFacts>, boolean, boolean]>([
    ['a program that has run for a while and waits', {}, true, false],
    ['one that is 19 s old', { ageMs: 19_000 }, false, true],
    ['one that computes', { load: 0.9 }, false, true],
    ['a script that waits for a command', { runsOthers: true }, false, true],
    ['a server that has started another program', { runsOthers: true, listens: true }, true, false],
    ['a server of 3 s', { listens: true, ageMs: 3000 }, true, false],
    ['a server that has just started', { listens: true, ageMs: 2900 }, false, true],
    ['a busy server', { listens: true, load: 0.9 }, true, false],
    ['a window, at once', { hasWindow: true, ageMs: 0 }, true, false],
    ['a window that is not settled yet', { hasWindow: true, ageMs: 1900, settleMs: 2000 }, false, true],
    ['a tool', { tool: 'build tool' }, false, false],
    ['a tool that listens', { tool: 'test runner', listens: true }, false, false],
    ['what a test runner has started', { startedBy: 'test runner', listens: true, hasWindow: true }, false, false],
    ['a tool that somebody asked for before', { tool: 'build tool', isKnown: true }, true, false],
    ['an app that somebody asked for before, at once', { isKnown: true, ageMs: 0 }, true, false],
    ['one that others could get into meanwhile', { isExposed: true, isKnown: true, listens: true }, false, false],
    ['a program of another user', { isForeign: true, isKnown: true, listens: true }, false, false],
  ])('%s', (_, facts, attach, mayChange) => {
    expect(verdict(facts)).toMatchObject({ attach, mayChange });
  });

  it('is everybody, or nobody, when the configuration says so', () => {
    expect(verdict({ tool: 'linter', ageMs: 0 }, 'all').attach).toBe(true);
    expect(verdict({ isForeign: true }, 'all').attach).toBe(false);
    expect(verdict({ isExposed: true }, 'all').attach).toBe(false);
    expect(verdict({ isKnown: true, listens: true }, 'asked').attach).toBe(false);
  });

  it('looks at nothing that costs much while it is young', () => {
    const costly = () => {
      throw new Error('that was not needed');
    };
    const facts = Object.defineProperties({ ...PLAIN }, { hasWindow: { get: costly }, listens: { get: costly } });
    expect(judge(Object.assign(facts, { ageMs: 1900, settleMs: 2000 }), 'apps').mayChange).toBe(true);
    expect(judge(Object.assign(facts, { tool: 'linter' }), 'apps').attach).toBe(false);
  });

  it('is explained', () => {
    expect(verdict({ tool: 'build tool' }).why).toBe('it is a build tool');
    expect(verdict({ startedBy: 'test runner' }).why).toBe('it was started by a test runner');
    expect(verdict({ isForeign: true }).why).toContain('other_users');
    expect(verdict({ isExposed: true }).why).toContain('root_inspectors');
  });
});
