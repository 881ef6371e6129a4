/** Patterns for keys: `*` stands for anything within one step, `**` for anything at all, `?` for one character. */

/** `cart.items[*].name`, `**.price`, `cart` (which means all below it, too). */
export function globMatcher(pattern: string): (key: string) => boolean {
  let source = '';
  for (let at = 0; at < pattern.length; at++) {
    const letter = pattern[at] ?? '';
    if (letter === '*' && pattern[at + 1] === '*') {
      source += '.*';
      at++;
      // `**.price` also means `price` itself.
      if (pattern[at + 1] === '.') {
        source = `${source.slice(0, -2)}(?:.*\\.)?`;
        at++;
      }
    } else if (letter === '*') source += '[^.\\[\\]]*';
    else if (letter === '?') source += '[^.\\[\\]]';
    else source += letter.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  }
  const whole = new RegExp(`^${source}(?:[.\\[].*)?$`, 's');
  return (key) => whole.test(key);
}
