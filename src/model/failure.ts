/** What was thrown, in words. Anything can be thrown. */
export function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}

/** `ENOENT`, and what Node calls other failures of the system; null: it is none. */
export function codeOf(failure: unknown): string | null {
  return failure instanceof Error && 'code' in failure && typeof failure.code === 'string' ? failure.code : null;
}
