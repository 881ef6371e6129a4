/** The short form of `npm run test:fuzz`. */
import { describe, it } from 'vitest';
import { fuzz } from '../fuzz/fuzz.ts';
import { PARSERS } from '../fuzz/parsers.ts';

const RUNS = 300;

describe('bytes that others write', () => {
  it.each(PARSERS.map((parser) => [parser.name, parser] as const))(
    '%s end in a value or a refusal, soon',
    (_, parser) => {
      fuzz(parser, RUNS, Date.now());
    },
  );
});
