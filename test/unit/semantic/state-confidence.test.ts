import { describe, expect, it } from 'vitest';
import type { Found } from '../../../src/semantic/salience/salience.ts';
import { type Circumstances, confidenceIn, NO_CIRCUMSTANCES } from '../../../src/semantic/state-confidence.ts';

type Amounts = Partial<Found['kinds']> &
  Partial<Pick<Found, 'names' | 'changed' | 'screen' | 'held' | 'meaningful' | 'keys'>>;

function judge(
  { names, changed, screen, held, meaningful, keys, ...kinds }: Amounts,
  circumstances: Partial<Circumstances> = {},
) {
  const all = { live: 0, plain: 0, constant: 0, internal: 0, opaque: 0, ...kinds };
  const own = all.live + all.plain;
  const found: Found = {
    names: names ?? (own > 0 ? 0.97 : null),
    kinds: all,
    changed: changed ?? 0,
    screen: screen ?? 0,
    held: held ?? own - (screen ?? 0),
    meaningful: meaningful ?? own,
    keys: keys ?? 100,
  };
  return confidenceIn(found, { ...NO_CIRCUMSTANCES, ...circumstances });
}

describe('the confidence of a state', () => {
  it.each<[string, Amounts, Partial<Circumstances>, number, string]>([
    ['nothing', { keys: 0 }, {}, 0.15, 'Found nothing.'],
    [
      'nothing yet',
      { keys: 0 },
      { waitsFor: 'the next request of this server' },
      0.15,
      'Found nothing; waits for the next request of this server to see its objects.',
    ],
    ['constants', { constant: 40 }, {}, 0.25, 'Found constants only.'],
    [
      'constants, and a request is awaited',
      { constant: 40 },
      { waitsFor: 'the next request of this server' },
      0.25,
      'Found constants only; waits for the next request of this server to see its objects.',
    ],
    [
      'constants, and no time for more',
      { constant: 40 },
      { stoppedBy: 'time' },
      0.25,
      'Found constants only; the search was ended by its budget (time).',
    ],
    ['a library', { internal: 40 }, {}, 0.15, 'Found only what libraries keep for themselves.'],
    ['no names', { opaque: 40, names: 0.3 }, {}, 0.3, 'Found only values without a usable name.'],
    ['values that change', { live: 20, plain: 30, changed: 3 }, {}, 0.97, 'Values of the program were seen to change.'],
    ['a store', { live: 20 }, {}, 0.89, 'Objects of the program were read; none was seen to change yet.'],
    [
      'a screen, and objects behind it',
      { live: 30, plain: 10, screen: 20 },
      {},
      0.94,
      'Objects of the program were read; none was seen to change yet.',
    ],
    ['empty values', { live: 2, plain: 13, meaningful: 2.7 }, {}, 0.15, 'Nearly all values that were found are empty.'],
    [
      'a page without a store',
      { live: 20, screen: 20 },
      {},
      0.93,
      'The screen was read; what is behind it was found in part at most.',
    ],
    [
      'variables of which nothing is known',
      { plain: 20 },
      {},
      0.89,
      'Variables of the program were read; hardly any was seen to change yet.',
    ],
    [
      'what minifiers leave',
      { live: 20, names: 0.85 },
      {},
      0.85,
      'Some names were shortened by a minifier, or are missing.',
    ],
    ['a page that loads', { live: 20 }, { isLoading: true }, 0.8, 'The page is still loading.'],
    [
      'a server whose own object was not seen',
      { plain: 240, live: 4 },
      { unseen: 'the object that handles the requests of this server', waitsFor: 'the next request of this server' },
      0.4,
      'The object that handles the requests of this server was not seen; waits for the next request of this server to see its objects.',
    ],
    [
      'such a server of which nothing is known to live',
      { plain: 240 },
      { unseen: 'what the program keeps elsewhere' },
      0.15,
      'What the program keeps elsewhere was not seen.',
    ],
    [
      'such a server of which no object of its own classes was seen',
      { plain: 240, live: 4 },
      { unseen: 'what the program keeps elsewhere', seesNoObject: true },
      0.15,
      'What the program keeps elsewhere was not seen.',
    ],
    [
      'a few variables of a program whose objects wait to be seen',
      { plain: 12 },
      { seesNoObject: true, waitsFor: 'the next event of this program' },
      0.15,
      "No object of the program's own classes was seen; waits for the next event of this program to see its objects.",
    ],
    [
      'a program that is written without classes, and waits',
      { plain: 240, live: 50 },
      { seesNoObject: true, waitsFor: 'its next timer' },
      0.86,
      'More can be seen after its next timer.',
    ],
    [
      'the beginning of a search',
      { live: 20, plain: 30 },
      { isSearching: true, hasMuchLeft: true, stoppedBy: 'time' },
      0.35,
      'The search has not come to most objects of the program yet; it goes on.',
    ],
    [
      'the end of a search',
      { live: 20, plain: 30 },
      { isSearching: true, stoppedBy: 'time' },
      0.86,
      'The search has not come to all objects of the program yet; it goes on.',
    ],
    ['what waits', { live: 15 }, { waitsFor: 'its next timer' }, 0.75, 'More can be seen after its next timer.'],
    ['much, and a rest', { live: 50 }, { waitsFor: 'its next timer' }, 0.86, 'More can be seen after its next timer.'],
    [
      'a program that works, and stands still',
      { plain: 50 },
      { works: true },
      0.7,
      'The program works, but nothing that is read changes.',
    ],
    [
      'a search that had hardly begun',
      { plain: 1 },
      { stoppedBy: 'memory' },
      0.7,
      'The search was ended by its budget (memory) before much of the program was reached.',
    ],
  ])('of %s', (_, amounts, circumstances, confidence, reason) => {
    expect(judge(amounts, circumstances)).toEqual({ confidence, reason });
  });

  it('falls the more constants there are beside what may be state', () => {
    const [few, many, most] = [{ constant: 2 }, { constant: 60 }, { constant: 90 }].map(
      ({ constant }) => judge({ plain: 20, constant }).confidence,
    );
    expect(few).toBe(0.89);
    expect(many).toBeLessThan(0.8);
    expect(most).toBeLessThan(many ?? 0);
    expect(judge({ plain: 20, constant: 90 }).reason).toBe('Most values that were found are constants.');
  });

  it('does not fall by constants, libraries or caps where something lives', () => {
    const changes = { live: 20, changed: 1 };
    expect(judge({ ...changes, plain: 5, constant: 900, internal: 900, opaque: 900 }).confidence).toBe(0.97);
    expect(judge(changes, { stoppedBy: 'memory', works: false }).confidence).toBe(0.97);
  });

  it('does not say that a program stands still of which one value changes', () => {
    expect(judge({ live: 3, plain: 20, changed: 3 }, { works: true }).confidence).toBe(0.97);
  });
});
