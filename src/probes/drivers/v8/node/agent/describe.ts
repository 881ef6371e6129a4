/** What calls gave or threw, as a short text. */
const MAX_RESULT_TEXT = 500;

/** Also for what is no Error, and for errors whose own fields fail. */
export function describeError(error: unknown): string {
  try {
    return (error instanceof Error ? `${error.name}: ${error.message}` : shortText(error)).slice(0, MAX_RESULT_TEXT);
  } catch {
    // Its own fields fail: that it was thrown is all there is to say.
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
