/** The one place that decides whether a value is hidden, once its name is judged. */
import { isNamed, judgeName, type Verdict } from './judge-name.ts';
import { isCardNumber } from './shapes.ts';
import {
  isPublic,
  isStandIn,
  isState,
  looksGrouped,
  looksLikeCode,
  looksLikeKeyBytes,
  looksLikeMaterial,
  looksLikeSentence,
  looksRandom,
} from './value-looks.ts';

/** The minimum of a number that no person has chosen: the state of a generator, not `seed: 1337`. */
const LARGE = 2 ** 31;
const WHOLE = /^-?\d{9,40}n?$/;

export function hidesText(text: string, { kind, label, numbers }: Verdict): boolean {
  if (numbers === 'large' && WHOLE.test(text)) return true;
  if (kind === null || text === '' || isStandIn(text)) return false;
  if (label !== null && (isState(text) || isNameOfSecret(text))) return false;
  if (label === 'sentence' && looksLikeSentence(text)) return false;
  switch (kind) {
    case 'password':
    case 'secret':
      return true;
    case 'key':
      // One letter is a key to press.
      return text.length > 1 && !isState(text) && !isPublic(text);
    case 'code':
      return (looksLikeCode(text) || looksGrouped(text) || looksRandom(text)) && !isPublic(text);
    case 'hint':
      return (looksRandom(text) || looksGrouped(text)) && !isPublic(text);
    case 'material':
      return looksLikeMaterial(text) && !isPublic(text);
    case 'bare':
      return looksLikeKeyBytes(text);
  }
}

/** `Mot de passe`, `API key`: the label of a field for one. */
function isNameOfSecret(text: string): boolean {
  return text.length <= 60 && !/\d/.test(text) && isNamed(judgeName(text));
}

/** A number under the name of a card that is no card number is a count, or an index. */
export function hidesNumber(value: number, { numbers, isCard }: Verdict): boolean {
  if (isCard) return isCardNumber(String(value));
  return numbers === 'all' || (numbers === 'large' && Math.abs(value) >= LARGE);
}
