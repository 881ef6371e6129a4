/**
 * Patterns for keys: `*` stands for anything within one step, `**` for anything at all, `?` for one character. A step
 * behind `**.` may also be one in brackets and quotes: `**.*cart*` means `orders["cart/7"]`. Matched letter by letter
 * with all possibilities at once, so that no pattern, wherever it comes from, takes long.
 */
type Token =
  | { readonly kind: 'letter'; readonly letter: string }
  | { readonly kind: 'one' | 'within' | 'anything' | 'skippable' | 'toDot' };

/** `cart.items[*].name`, `**.price`, `cart` (which means all below it, too). */
export function globMatcher(pattern: string): (key: string) => boolean {
  const prefix = /^[^*?]*/.exec(pattern)?.[0] ?? '';
  const rest = pattern.slice(prefix.length);
  const tokens = tokensOf(rest);
  const shortest = prefix.length + tokens.filter(({ kind }) => kind === 'letter' || kind === 'one').length;
  // Most keys lack it, or are too short, and need no closer look.
  const needle = rest.split(WILD).reduce((longest, text) => (text.length > longest.length ? text : longest), '');
  // Made once: a state has very many keys.
  const rooms = [new Uint8Array(tokens.length + 1), new Uint8Array(tokens.length + 1)] as const;
  return (key) =>
    key.length >= shortest &&
    key.startsWith(prefix) &&
    key.includes(needle, prefix.length) &&
    matches(tokens, key, prefix.length, rooms);
}

const WILD = /(?:\*\*\.)+|\*+|\?/g;

function tokensOf(pattern: string): Token[] {
  const parts = pattern.match(/(?:\*\*\.)+|\*+|[^*]/gs) ?? [];
  return parts.flatMap((part): Token[] => {
    // `**.price` also means `price` itself. Several in a row mean no more than one.
    if (part.startsWith('**.')) return [{ kind: 'skippable' }, { kind: 'toDot' }];
    if (part.startsWith('**')) return [{ kind: 'anything' }];
    if (part === '*') return [{ kind: 'within' }];
    return part === '?' ? [{ kind: 'one' }] : [{ kind: 'letter', letter: part }];
  });
}

function matches(
  tokens: readonly Token[],
  key: string,
  from: number,
  [first, second]: readonly [Uint8Array, Uint8Array],
): boolean {
  const end = tokens.length;
  let [reached, next] = [first.fill(0), second];
  // Nothing behind it is reached: a long pattern costs no more than what a key can fill of it.
  let last = reach(tokens, reached, 0);
  for (let at = from; at < key.length; at++) {
    const letter = key[at] ?? '';
    const isBorder = letter === '.' || letter === '[';
    // All below what matches matches, and all behind a `**` at the end.
    const isEndOfQuoted = letter === ']' && key[at - 1] === '"';
    if (reached[end] === 1 && (isBorder || isEndOfQuoted || tokens[end - 1]?.kind === 'anything')) return true;
    const isInStep = !isBorder && letter !== ']';
    next.fill(0);
    let nextLast = -1;
    for (let place = 0; place <= last; place++) {
      const token = reached[place] === 1 ? tokens[place] : undefined;
      if (token === undefined) continue;
      const { kind } = token;
      const stays = kind === 'anything' || kind === 'toDot' || (kind === 'within' && isInStep);
      const goesOn =
        (kind === 'letter' && token.letter === letter) ||
        (kind === 'one' && isInStep) ||
        (kind === 'toDot' && (letter === '.' || (letter === '[' && key[at + 1] === '"')));
      if (stays) nextLast = Math.max(nextLast, reach(tokens, next, place));
      if (goesOn) nextLast = Math.max(nextLast, reach(tokens, next, place + 1));
    }
    if (nextLast === -1) return false;
    [reached, next] = [next, reached];
    last = nextLast;
  }
  return reached[end] === 1;
}

/** A place, and those behind it that need no letter to be reached. Gives the last of them. */
function reach(tokens: readonly Token[], reached: Uint8Array, place: number): number {
  reached[place] = 1;
  const kind = tokens[place]?.kind;
  if (kind === 'anything' || kind === 'within') return reach(tokens, reached, place + 1);
  if (kind !== 'skippable') return place;
  reach(tokens, reached, place + 1);
  return reach(tokens, reached, place + 2);
}
