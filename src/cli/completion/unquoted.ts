/** Removes a shell's quoting: `weird\\ thing` and `"weird thing"` are the same name. */
export function unquoted(word: string): string {
  return word.replace(
    /\\(.)|'([^']*)'|"((?:[^"\\]|\\.)*)"/gs,
    (_, escaped, single, double?: string) => escaped ?? single ?? (double ?? '').replace(/\\([\\"$`])/g, '$1'),
  );
}
