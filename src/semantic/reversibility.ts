/** Decides whether an action can be undone: by the runtime's proof, or by its name if nothing is proven. */
import { DANGEROUS_WORDS, OUTWARD_WORDS, saysLasting } from '../model/control-words.ts';
import type { RawAction } from '../model/raw-action.ts';
import type { Reversibility } from '../model/wire.ts';

/** Actions with these words reach beyond the app. */
const OUTWARD_NAME = new RegExp(`(?:^|_)(?:${OUTWARD_WORDS.join('|')})(?=[A-Z\\d_]|$)`);

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
/** A control that begins with one of these changes the view, not the data, whatever follows. */
const LOOKING = words(
  'show hide view preview expand collapse search find filter sort browse toggle zoom scroll maximize minimize ' +
    'fullscreen refresh',
);
/** These only change the view if they are alone or with parts of the screen: `close_menu`, not `close_deal`. */
const MOVING = words(
  'open close next previous prev back forward cancel dismiss select deselect choose go jump switch focus play pause ' +
    'mute unmute undo redo reload load',
);
/** Those that go from one item to another, or pick it: `next_photo`, `select_all`. */
const STEPPING = words('next previous prev back select deselect choose go jump load play pause');
const THINGS_TO_STEP_THROUGH = words(
  'item row column photo image picture slide video song track chapter section result question step day week month year',
);
/** Verbs that may name a tab or toggle: `show_go_live` is a tab with the words "Go live". */
const CALLED_BY = words('cancel close dismiss forward go switch');
const PARTS_OF_SCREENS = words(
  'menu dialog panel tab tabs sidebar toolbar navigation nav detail details settings preferences options page pages ' +
    'list grid table view window modal drawer popup dropdown tooltip toast banner notice hint overlay lightbox gallery ' +
    'filter filters search results help about home theme mode dark light screen preview editor picker calendar',
);
/** Words that specify the part. */
const BETWEEN = words('more less main user all to the by of up down left right top bottom first last load');
/** Objects that are opened and closed in another sense than a menu: `close_account`. */
const LASTING_THINGS = words(
  'account subscription membership plan booking reservation ticket issue position contract funds money payment orders',
);
const ONLY_LOOKS = words('show hide view preview expand collapse search find filter sort browse zoom scroll');
/**
 * The counterpart alone does not undo these: others were notified, something ran or arrived meanwhile, or removed data
 * does not come back unchanged.
 */
const NOT_BY_COUNTERPART = words(
  'subscribe unsubscribe connect disconnect start stop open close lock unlock remove pop',
);

export function hasDangerousName(action: string): boolean {
  const name = action.toLowerCase();
  return [...DANGEROUS_WORDS, 'clear_all', 'clearall'].some((word) => name.includes(word));
}

/** `names`: all actions of the app, to find the one that would undo this one. */
export function judgeReversibility(action: RawAction, names: ReadonlySet<string>): Reversibility {
  if (hasDangerousName(action.name)) return 'irreversible_write';
  if (action.effect === 'none') return 'reversible_read';
  // A page named `orders` orders nothing.
  if (action.effect === 'look') return 'reversible_write';
  // Writing an address into the field `email` sends nothing.
  if (action.effect === 'setter' && /(?:^|\.)set_/.test(action.name)) return 'reversible_write';
  if (OUTWARD_NAME.test(uncapitalised(lastOf(action.name)))) return 'irreversible_write';
  if (action.effect === 'setter') return 'reversible_write';
  if (action.effect === 'control')
    return isHarmlessControl(action.name, names) ? 'reversible_write' : 'irreversible_write';
  if (action.effect === 'own-state' && (isToggle(action.name) || isUndoneByCounterpart(action.name, names)))
    return 'reversible_write';
  return 'irreversible_write';
}

/** A button or link, of which only its words are known. */
function isHarmlessControl(name: string, names: ReadonlySet<string>): boolean {
  const all = wordsOf(lastOf(name));
  // A number distinguishes two equal names, or is the number of a page.
  const spoken = all.filter((word) => !/^\d+$/.test(word));
  const [verb = ''] = spoken;
  // However it begins: `close_and_save`.
  if (saysLasting(spoken)) return false;
  if (/(?:^| )(?:sign|log) (?:in|up)(?: |$)/.test(spoken.join(' '))) return false;
  if (spoken.some((word) => LASTING_THINGS.has(word)) && !ONLY_LOOKS.has(verb)) return false;
  if (isUndoneByCounterpart(name, names)) return true;
  return all.length > 0 && onlyLooks(spoken);
}

function onlyLooks([verb, ...rest]: readonly string[]): boolean {
  const [next] = rest;
  if (verb === undefined) return true;
  if (LOOKING.has(verb)) return next === undefined || !CALLED_BY.has(next) || onlyLooks(rest);
  if (!MOVING.has(verb)) return isPartOfScreen(verb) && rest.every(isPartOfScreen);
  if (next === undefined || (verb === 'back' && next === 'to')) return true;
  // A link with the words "Cancel" is `open_cancel`; `go_back` is `back`.
  if ((verb === 'open' || verb === 'go') && (MOVING.has(next) || LOOKING.has(next)) && !PARTS_OF_SCREENS.has(next))
    return onlyLooks(rest);
  if (STEPPING.has(verb)) return rest.every((word) => isPartOfScreen(word) || THINGS_TO_STEP_THROUGH.has(word));
  // `cancel_all` does not say all of what.
  return rest.every(isPartOfScreen) && rest.some((word) => PARTS_OF_SCREENS.has(word));
}

function isPartOfScreen(word: string): boolean {
  return PARTS_OF_SCREENS.has(word) || BETWEEN.has(word);
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
  return /^(?:toggle|select|focus|sort|set)(?=[A-Z_]|$)/.test(uncapitalised(lastOf(name)));
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** Some languages capitalise methods: `SendMail` is `sendMail`. */
function uncapitalised(method: string): string {
  return `${method.slice(0, 1).toLowerCase()}${method.slice(1)}`;
}

function isUndoneByCounterpart(name: string, names: ReadonlySet<string>): boolean {
  const verb = wordsOf(lastOf(name)).find((word) => !/^\d+$/.test(word)) ?? '';
  return !NOT_BY_COUNTERPART.has(verb) && hasCounterpart(name, names);
}

function hasCounterpart(name: string, names: ReadonlySet<string>): boolean {
  const method = lastOf(name);
  const owner = name.slice(0, name.length - method.length);
  const isCapital = method !== uncapitalised(method);
  const cased = (word: string) => (isCapital ? `${word.slice(0, 1).toUpperCase()}${word.slice(1)}` : word);
  return COUNTERPARTS.some(([a, b]) =>
    [
      [a, b],
      [b, a],
    ].some(
      ([from = '', to = '']) =>
        startsWithWord(method, cased(from)) && names.has(`${owner}${cased(to)}${method.slice(from.length)}`),
    ),
  );
}

function startsWithWord(method: string, word: string): boolean {
  return method.startsWith(word) && /^(?:$|[A-Z_])/.test(method.slice(word.length));
}
