/** Describes results and exceptions of calls as a short text. */
const MAX_RESULT_TEXT = 500;

/** Also for thrown values that are no Error, and for errors whose own fields throw. */
export function describeError(error: unknown): string {
  try {
    return (error instanceof Error ? `${error.name}: ${error.message}` : shortText(error)).slice(0, MAX_RESULT_TEXT);
  } catch {
    // Its own fields throw, so nothing else is known about it.
    return 'an error that cannot be described';
  }
}

export function shortText(value: unknown): string {
  if (value === undefined) return '';
  let text: string;
  try {
    text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  } catch {
    // It has no text of its own, or a cycle.
    text = typeof value;
  }
  return text.length > MAX_RESULT_TEXT ? `${text.slice(0, MAX_RESULT_TEXT)}…` : text;
}
