/** The limit of a string in a message. */
const MAX_SHOWN = 80;

export function shortened(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN - 1)}…`;
}
