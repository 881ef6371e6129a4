/**
 * Splits a Windows command line as the C runtime does: the first word ends at a space or, quoted, at the next quote;
 * later a quote opens or closes a quoted part, `""` inside one is a quote, and backslashes escape only before a quote.
 */
export function splitCommandLine(line: string): string[] {
  const program = /^(?:"([^"]*)"?|([^\s"]*))/.exec(line);
  if (line.trim() === '' || program === null) return [];
  const argv = [program[1] ?? program[2] ?? ''];
  let at = program[0].length;
  while (at < line.length) {
    while (line[at] === ' ' || line[at] === '\t') at++;
    if (at >= line.length) break;
    const argument = readArgument(line, at);
    argv.push(argument.value);
    at = argument.end;
  }
  return argv;
}

function readArgument(line: string, start: number): { value: string; end: number } {
  let value = '';
  let isQuoted = false;
  let at = start;
  for (; at < line.length; at++) {
    const character = line[at] ?? '';
    if (!isQuoted && (character === ' ' || character === '\t')) break;
    if (character === '\\') {
      let end = at;
      while (line[end] === '\\') end++;
      const backslashes = end - at;
      const beforeQuote = line[end] === '"';
      value += '\\'.repeat(beforeQuote ? Math.floor(backslashes / 2) : backslashes);
      at = end - 1;
      if (!beforeQuote || backslashes % 2 === 0) continue;
      value += '"';
      at = end;
    } else if (character === '"') {
      if (isQuoted && line[at + 1] === '"') {
        value += '"';
        at++;
      } else {
        isQuoted = !isQuoted;
      }
    } else {
      value += character;
    }
  }
  return { value, end: at };
}
