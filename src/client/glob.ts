/**
 * Patterns for keys: `*` stands for anything within one step, `**` for anything at all, `?` for one character. Matched
 * letter by letter with all possibilities at once, so that no pattern, wherever it comes from, takes long.
 */
type Token =
  | { readonly kind: 'letter'; readonly letter: string }
  | { readonly kind: 'one' | 'within' | 'anything' | 'skippable' | 'toDot' };

/** `cart.items[*].name`, `**.price`, `cart` (which means all below it, too). */
export function globMatcher(pattern: string): (key: string) => boolean {
  const prefix = /^[^*?]*/.exec(pattern)?.[0] ?? '';
  const tokens = tokensOf(pattern.slice(prefix.length));
  return (key) => key.startsWith(prefix) && matches(tokens, key, prefix.length);
}

function tokensOf(pattern: string): Token[] {
  const parts = pattern.match(/\*\*\.|\*+|[^*]/gs) ?? [];
  return parts.flatMap((part): Token[] => {
    // `**.price` also means `price` itself.
    if (part === '**.') return [{ kind: 'skippable' }, { kind: 'toDot' }];
    if (part.startsWith('**')) return [{ kind: 'anything' }];
    if (part === '*') return [{ kind: 'within' }];
    return part === '?' ? [{ kind: 'one' }] : [{ kind: 'letter', letter: part }];
  });
}

function matches(tokens: readonly Token[], key: string, from: number): boolean {
  const end = tokens.length;
  let reached = new Uint8Array(end + 1);
  reach(tokens, reached, 0);
  for (let at = from; at < key.length; at++) {
    const letter = key[at] ?? '';
    const isBorder = letter === '.' || letter === '[';
    // All below what matches matches.
    if (reached[end] === 1 && isBorder) return true;
    const next = new Uint8Array(end + 1);
    let isAlive = false;
    for (let place = 0; place < end; place++) {
      const token = reached[place] === 1 ? tokens[place] : undefined;
      if (token === undefined) continue;
      const { kind } = token;
      const isInStep = !isBorder && letter !== ']';
      const stays = kind === 'anything' || kind === 'toDot' || (kind === 'within' && isInStep);
      const goesOn =
        (kind === 'letter' && token.letter === letter) ||
        (kind === 'one' && isInStep) ||
        (kind === 'toDot' && letter === '.');
      if (stays) reach(tokens, next, place);
      if (goesOn) reach(tokens, next, place + 1);
      isAlive ||= stays || goesOn;
    }
    if (!isAlive) return false;
    reached = next;
  }
  return reached[end] === 1;
}

/** A place, and those behind it that need no letter to be reached. */
function reach(tokens: readonly Token[], reached: Uint8Array, place: number): void {
  if (reached[place] === 1) return;
  reached[place] = 1;
  const kind = tokens[place]?.kind;
  if (kind === 'anything' || kind === 'within' || kind === 'skippable') reach(tokens, reached, place + 1);
  if (kind === 'skippable') reach(tokens, reached, place + 2);
}
