/** Replaces words about HTTP in the daemon's messages, because a model has tools. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/GET \/substrate\/v1\/apps lists them/g, 'list_apps lists them'],
  [/GET \/substrate\/v1\/schema\/\{pid\} lists them/g, 'list_actions lists them'],
  [/Poll \/substrate\/v1\/apps until has_state is true/g, 'Try again in a few seconds'],
  [/by (?:the route )?\/learn\b/g, 'by correct_label'],
  [/fresh=false still gives/g, 'read_state without fresh still gives'],
  [/Read the cached state with fresh=false/g, 'read_state without fresh gives the last one'],
  [/\bfresh=true\b/g, 'fresh: true'],
  [/\bverify_expression\b/g, 'verify'],
  [/\bfresh_state\b/g, 'a fresh look'],
  [/See \/openapi\.json\./g, ''],
];

export function inToolWords(message: string): string {
  return WORDS.reduce((text, [pattern, words]) => text.replace(pattern, words), message);
}
