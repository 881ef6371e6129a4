/** The one place that decides whether a value is hidden, once its name is judged. */
import { judgeName, type Verdict } from './judge-name.ts';
import { isCardNumber } from './shapes.ts';
import { isStandIn, isState, looksLikeCode, looksLikeSentence, looksRandom } from './value-looks.ts';

export const REDACTED = '[redacted]';

export function hidesText(text: string, { kind, label }: Verdict): boolean {
  if (kind === null || text === '' || isStandIn(text)) return false;
  if (label !== null && (isState(text) || isNameOfSecret(text))) return false;
  if (label === 'sentence' && looksLikeSentence(text)) return false;
  switch (kind) {
    case 'password':
    case 'secret':
      return true;
    case 'key':
      return !isState(text);
    case 'code':
      return looksLikeCode(text) || looksRandom(text);
    case 'hint':
      return looksRandom(text);
  }
}

/** `Mot de passe`, `API key`: what is written beside the field for one. */
function isNameOfSecret(text: string): boolean {
  return text.length <= 60 && !/\d/.test(text) && judgeName(text).kind !== null;
}

/** A number that is no card under the name of one is a count, or an index. */
export function hidesNumber(value: number, { kind, hidesNumbers, isCard }: Verdict): boolean {
  if (isCard) return isCardNumber(String(value));
  return kind !== null && hidesNumbers;
}
