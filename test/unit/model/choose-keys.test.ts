import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chooseKeys } from '../../../src/model/choose-keys.ts';
import { globMatcher } from '../../../src/model/glob.ts';
import { KeyFilter } from '../../../src/model/key-filter.ts';
import { joinPath, pathPattern } from '../../../src/model/path.ts';
import { KeyList } from '../../../src/model/state-look.ts';

const segment = fc.oneof(fc.constantFrom('a', 'b1', 'odd key', 'x[0]', '*'), fc.nat(12));
const key = fc.array(segment, { minLength: 1, maxLength: 5 }).map((path) => path.reduce<string>(joinPath, ''));
const glob = fc
  .array(fc.constantFrom('a', 'b1', '*', '**', '?', '.', '[', ']', '[*]', '["odd key"]', '1', '**.', '[1]'), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => parts.join(''));

it('chooses what each key for itself would be chosen by, in order', () => {
  fc.assert(
    fc.property(fc.uniqueArray(key, { maxLength: 60 }), fc.array(glob, { maxLength: 3 }), (all, globs) => {
      const list = new KeyList();
      for (const key of all) list.add(key, pathPattern(key));
      const matchers = globs.map(globMatcher);
      const expected = all.filter((key) => matchers.some((matches) => matches(key)));
      const steps = chooseKeys(list, new KeyFilter(globs));
      for (let step = steps.next(); ; step = steps.next()) {
        if (!step.done) continue;
        expect(step.value).toEqual(expected);
        return;
      }
    }),
  );
});
