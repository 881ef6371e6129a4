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

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
/** A control that begins with one of these changes what is shown, not what is kept. */
const LOOKING = words(
  'show hide view preview open close expand collapse next previous prev back forward cancel dismiss search find filter ' +
    'sort browse toggle select deselect choose zoom scroll go jump switch focus maximize minimize fullscreen play pause ' +
    'mute unmute undo redo refresh reload',
);
/** With these alone nothing is done either: `more`, `main_menu`. */
const PARTS_OF_SCREENS = words(
  'more less details tab menu main user page pages all to the by up down left right top bottom first last in out load ' +
    'options help about home',
);
/** What these do stays, however the control begins: `close_and_save`. */
const LASTING = words(
  'remove discard drop erase unsubscribe subscribe deactivate activate revoke confirm apply save accept agree approve ' +
    'reject decline book reserve register signup invite share reply archive block report ban merge rename import install ' +
    'uninstall update upgrade downgrade create logout signout donate bid vote withdraw exchange trade unlink overwrite',
);
/** Opened and closed in another sense than a menu: `close_account`. */
const LASTING_THINGS = words('account subscription membership plan booking reservation ticket issue position contract');
const ONLY_LOOKS = words('show hide view preview expand collapse search find filter sort browse zoom scroll');
/** What begins with these is not undone by its counterpart alone: others were told, or something ran meanwhile. */
const NOT_BY_COUNTERPART = words('subscribe unsubscribe connect disconnect start stop');

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
  if (action.effect === 'control')
    return isHarmlessControl(action.name, names) ? 'reversible_write' : 'irreversible_write';
  if (action.effect === 'own-state' && (isToggle(action.name) || hasCounterpart(action.name, names)))
    return 'reversible_write';
  return 'irreversible_write';
}

/** A button or link, of which its words are all that is known. */
function isHarmlessControl(name: string, names: ReadonlySet<string>): boolean {
  const spoken = wordsOf(name.slice(name.lastIndexOf('.') + 1));
  const [verb = ''] = spoken;
  if (/(?:^| )(?:sign|log) (?:out|off|in|up)(?: |$)/.test(spoken.join(' '))) return false;
  if (hasCounterpart(name, names) && !NOT_BY_COUNTERPART.has(verb)) return true;
  if (spoken.some((word) => LASTING.has(word))) return false;
  if (spoken.some((word) => LASTING_THINGS.has(word)) && !ONLY_LOOKS.has(verb)) return false;
  return LOOKING.has(verb) || (spoken.length > 0 && spoken.every((word) => isPartOfScreen(word)));
}

function isPartOfScreen(word: string): boolean {
  return LOOKING.has(word) || PARTS_OF_SCREENS.has(word) || /^\d+$/.test(word);
}

/** `openMenu2` and `open_menu_2` -> open, menu, 2. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
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
