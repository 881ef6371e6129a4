import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type VerdictFacts, verdictOf } from '../../../src/model/attach-verdict.ts';

const FACTS: VerdictFacts = { isAttached: false, diagnosis: null, problem: null, givenUp: false, policy: null };
const LISTENS = { attach: true, why: 'it listens on a socket' };
const TOOL = { attach: false, why: 'it is a build tool' };
const SHUT = {
  blocker: 'The JVM was started with -XX:+DisableAttachMechanism.',
  remedy: 'Start it without that option.',
};
const said = (facts: Partial<VerdictFacts>) => verdictOf({ ...FACTS, ...facts }).sentences.join(' ');

describe('the verdict on a process', () => {
  it('says one thing of a program that the daemon would attach to, and cannot', () => {
    expect(said({ diagnosis: SHUT, problem: `${SHUT.blocker} ${SHUT.remedy}`, givenUp: true, policy: LISTENS })).toBe(
      'It cannot be attached to. The JVM was started with -XX:+DisableAttachMechanism. It is not tried again while this process runs. What helps: Start it without that option.',
    );
    expect(said({ problem: 'Port 9229 is taken.', policy: LISTENS })).toBe(
      'It cannot be attached to at the moment. Port 9229 is taken. The daemon goes on trying: it listens on a socket.',
    );
    expect(said({ diagnosis: SHUT, policy: TOOL })).toContain('The daemon does not try by itself: it is a build tool.');
  });

  it('says why it is attached to, or why not yet', () => {
    expect(said({ isAttached: true, policy: LISTENS })).toBe('The daemon is attached to it: it listens on a socket.');
    expect(said({ policy: LISTENS })).toBe('It can be attached to. It is being attached to: it listens on a socket.');
    expect(said({ policy: TOOL })).toBe(
      'It can be attached to. It is not attached to by itself: it is a build tool. Asking for its state attaches to it.',
    );
    expect(said({ diagnosis: { blocker: null, remedy: null } })).toBe('It can be attached to.');
  });

  it('never contradicts itself', () => {
    const text = fc.constantFrom('it listens on a socket', 'it is a build tool', '');
    const obstacle = fc.record({
      blocker: fc.option(fc.constant('Shut.')),
      remedy: fc.option(fc.constant('Open it.')),
    });
    const facts = fc.record({
      isAttached: fc.boolean(),
      diagnosis: fc.option(obstacle),
      problem: fc.option(fc.constantFrom('Shut.', 'Busy.')),
      givenUp: fc.boolean(),
      policy: fc.option(fc.record({ attach: fc.boolean(), why: text })),
    });
    fc.assert(
      fc.property(facts, (given) => {
        const { status, byItself, blocker, sentences } = verdictOf(given);
        const words = sentences.join(' ');
        expect(words.includes('cannot be attached to')).toBe(status === 'blocked');
        expect(blocker === null).toBe(status !== 'blocked');
        expect(words.includes('can be attached to')).toBe(status === 'attachable');
        if (status === 'blocked') expect(words).not.toMatch(/is (?:being )?attached to/);
        if (status === 'blocked' && given.givenUp) {
          expect(byItself).toBe(false);
          expect(words).toContain('It is not tried again');
        }
        if (!byItself) expect(words).not.toMatch(/goes on trying|is being attached to/);
      }),
    );
  });
});
