/** What a shell makes of a word as it was typed: `weird\\ thing` and `"weird thing"` are two words of one name. */
export function unquoted(word: string): string {
  return word.replace(
    /\\(.)|'([^']*)'|"((?:[^"\\]|\\.)*)"/gs,
    (_, escaped, single, double?: string) => escaped ?? single ?? (double ?? '').replace(/\\([\\"$`])/g, '$1'),
  );
}
