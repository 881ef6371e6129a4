/** Can it be undone? Judged by what the runtime proved, and by the name where nothing is proven. */
import type { RawAction } from '../model/raw-action.ts';
import type { Reversibility } from '../model/wire.ts';

/** On an app that is not known these words stop a request; on one that is they need a verification. */
const DANGEROUS_WORDS = ['delete', 'destroy', 'purge', 'wipe', 'reset', 'clear_all', 'terminate', 'shutdown', 'kill'];
/** What these do reaches beyond the app. */
const OUTWARD_WORDS =
  /(?:^|[._])(?:send|submit|buy|pay|purchase|order|checkout|publish|post|transfer|deploy|upload|email|notify|charge|refund)(?=[A-Z_.]|$)/;

const COUNTERPARTS: readonly (readonly [string, string])[] = [
  ['add', 'remove'],
  ['insert', 'remove'],
  ['push', 'pop'],
  ['open', 'close'],
  ['show', 'hide'],
  ['enable', 'disable'],
  ['increment', 'decrement'],
  ['increase', 'decrease'],
  ['start', 'stop'],
  ['lock', 'unlock'],
  ['select', 'deselect'],
  ['expand', 'collapse'],
  ['mute', 'unmute'],
  ['pause', 'resume'],
  ['connect', 'disconnect'],
  ['subscribe', 'unsubscribe'],
];

export function hasDangerousName(action: string): boolean {
  const name = action.toLowerCase();
  return DANGEROUS_WORDS.some((word) => name.includes(word)) || name.includes('clearall');
}

/** `names`: all actions of the app, to find the one that would undo this one. */
export function judgeReversibility(action: RawAction, names: ReadonlySet<string>): Reversibility {
  if (hasDangerousName(action.name)) return 'irreversible_write';
  if (action.effect === 'none') return 'reversible_read';
  if (OUTWARD_WORDS.test(action.name)) return 'irreversible_write';
  if (action.effect === 'setter') return 'reversible_write';
  if (action.effect === 'own-state' && (isToggle(action.name) || hasCounterpart(action.name, names)))
    return 'reversible_write';
  return 'irreversible_write';
}

function isToggle(name: string): boolean {
  return /(?:^|\.)(?:toggle|select|focus|sort|set)(?=[A-Z_]|$)/.test(name);
}

function hasCounterpart(name: string, names: ReadonlySet<string>): boolean {
  const at = name.lastIndexOf('.') + 1;
  const [owner, method] = [name.slice(0, at), name.slice(at)];
  return COUNTERPARTS.some(([a, b]) =>
    [
      [a, b],
      [b, a],
    ].some(
      ([from = '', to = '']) => startsWithWord(method, from) && names.has(`${owner}${to}${method.slice(from.length)}`),
    ),
  );
}

function startsWithWord(method: string, word: string): boolean {
  return method.startsWith(word) && /^(?:$|[A-Z_])/.test(method.slice(word.length));
}
