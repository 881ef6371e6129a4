/** Redaction on cases that were written before the rules: `test/fixtures/redaction/documented.ts`. */
import { describe, expect, it } from 'vitest';
import { judgeName, redact } from '../../../src/semantic/redact.ts';
import { plain } from '../../fixtures/redaction/corpus.ts';
import { type DocumentedCase, type Half, heldOut, tuning } from '../../fixtures/redaction/documented.ts';

/** Which of its values are hidden: one, or those of an array. */
function hidden([, path, value]: DocumentedCase): boolean[] {
  const leaves = Array.isArray(value) ? value.map((item, at) => [`${path}[${at}]`, item]) : [[path, value]];
  return leaves.map(([at, real]) => {
    const clean = typeof real === 'string' ? plain(real) : real;
    return redact(clean, judgeName(at)) !== clean;
  });
}

function measure({ secrets, harmless }: Half) {
  const shown = secrets.filter((one) => hidden(one).includes(false));
  const wrong = harmless.filter((one) => hidden(one).includes(true));
  return { hidden: secrets.length - shown.length, wronglyHidden: wrong.length, shown, wrong };
}

const named = (cases: readonly DocumentedCase[]) => cases.map(([, path, value]) => `${path} = ${value}`);

describe('cases from documentation', () => {
  it('has 120 secrets and 80 others, in two halves', () => {
    for (const { secrets, harmless } of [tuning, heldOut]) {
      expect(secrets).toHaveLength(60);
      expect(harmless).toHaveLength(40);
    }
  });

  it('prints the rates of both halves, and the mistakes in the one that rules may be improved on', () => {
    const [one, other] = [measure(tuning), measure(heldOut)];
    console.info(
      [
        `tuning: ${one.hidden} of 60 hidden, ${one.wronglyHidden} of 40 wrongly hidden`,
        `held out: ${other.hidden} of 60 hidden, ${other.wronglyHidden} of 40 wrongly hidden`,
        ...named(one.shown).map((line) => `shown: ${line}`),
        ...named(one.wrong).map((line) => `wrongly hidden: ${line}`),
      ].join('\n'),
    );
  });
});
