/**
 * What a control may do, as far as its own words and markup tell. Told by the whole text: the name of the action is cut, and
 * holds the words of the place around.
 */
import type { Effect } from '../../../../../model/raw-action.ts';
import { wordsOf } from './names.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** What these do stays, or reaches beyond the page. */
const LASTING = words(
  'delete destroy purge wipe reset terminate shutdown kill remove discard drop erase clear empty trash unsubscribe ' +
    'subscribe deactivate activate revoke confirm apply save accept agree approve reject decline deny book reserve ' +
    'register signup enroll invite share reply archive block unblock report ban unban merge rename import install ' +
    'uninstall update upgrade downgrade create logout signout logoff signoff optout donate bid bids bet bets vote ' +
    'withdraw exchange trade unlink overwrite replace leave quit resign fire hire wire pledge gamble place deposit sell ' +
    'rent renew redeem claim cashout void launch rollback restart reboot execute broadcast tweet retweet dial arm disarm ' +
    'evict expel suspend migrate promote demote assign grant authorize authorise finalize finalise revert restore ' +
    'restock ship send submit buy pay purchase order checkout publish post transfer deploy upload email notify charge ' +
    'refund',
);
/** Of those, the words that pages, tabs and menus are named by: a link `Orders` or `Book` leads to orders and books. */
const ALSO_NAMES = words(
  'activate archive bid bids bet bets block book broadcast charge claim create deploy deposit donate email exchange ' +
    'execute grant hire import install invite launch merge migrate notify order place post promote publish purchase ' +
    'refund register rent reply report reserve restore sell share ship signup subscribe trade transfer tweet update ' +
    'upgrade upload vote',
);
/** Harmless beside parts of a screen (`close menu`), which is for the daemon to tell. */
const UNSURE = words('cancel close dismiss forward stop end switch start run go open enable disable');
/** A link that begins so leads to another page. */
const LEADING = words('go open');
/** What begins so only asks for something to be shown, whatever comes after. */
const LOOKING = words('search find filter sort show hide view browse preview refresh expand collapse');
const LASTING_ADDRESS =
  /(?:^|[/?&=_.-])(?:log-?out|sign-?out|delete|remove|unsubscribe|destroy|cancel|revoke)(?:[/?&=_.-]|$)/i;

function isLasting(text: string): boolean {
  const spoken = wordsOf(text);
  return spoken.some((word, at) => LASTING.has(word) || LASTING.has(`${word}${spoken[at + 1] ?? ''}`));
}

/** By more than a word that may as well be a name. */
function isSurelyLasting(text: string): boolean {
  const spoken = wordsOf(text);
  const lasts = (word: string) => LASTING.has(word) && !ALSO_NAMES.has(word);
  return spoken.some((word, at) => lasts(word) || lasts(`${word}${spoken[at + 1] ?? ''}`));
}

/** `setter`: going back to where it was is all that it takes. `control`: the daemon judges its name. */
export function buttonEffect(text: string): Effect {
  return isLasting(text) ? 'unknown' : 'control';
}

/** Of what its markup makes a tab, a disclosure, a menu or the head of a column that sorts. */
export function viewEffect(text: string): Effect {
  return isSurelyLasting(text) ? 'unknown' : 'look';
}

/** Of a toggle or choice, which is undone by another one, or itself. */
export function toggleEffect(text: string): Effect {
  if (isLasting(text)) return 'unknown';
  return UNSURE.has(wordsOf(text)[0] ?? '') ? 'control' : 'setter';
}

export interface LinkFacts {
  /** It has an address of this site that is more than a handle for a script. */
  readonly isPlain: boolean;
  readonly href: string;
  /** Its class says that its text is the name of something. */
  readonly isName?: boolean;
}

export function linkEffect(text: string, { isPlain, href, isName = false }: LinkFacts): Effect {
  const leads = isPlain || isName;
  if ((leads ? isSurelyLasting(text) : isLasting(text)) || LASTING_ADDRESS.test(href)) return 'unknown';
  const [first = ''] = wordsOf(text);
  return leads && (!UNSURE.has(first) || LEADING.has(first)) ? 'look' : 'control';
}

/** `title`: what names the form. `button`: null when it has none. A button `Yes` or `Go` says nothing: anything may happen. */
export function formEffect(title: string, button: string | null): Effect {
  if (button === null || isLasting(title) || isLasting(button)) return 'unknown';
  return isLooking(button) ? 'control' : 'unknown';
}

/** `name`: what the names of several controls have in common; what only some of them say is not in it. */
export function groupEffect(effects: readonly Effect[], name: string, isCut: boolean): Effect {
  const effect = worst(effects);
  return isCut && effect === 'control' && !isLooking(name) ? 'unknown' : effect;
}

function isLooking(text: string): boolean {
  return LOOKING.has(wordsOf(text)[0] ?? '');
}

const SEVERITY: readonly Effect[] = ['unknown', 'own-state', 'control', 'setter', 'look', 'none'];

/** The most that one of them does is what all may do. */
function worst(effects: readonly Effect[]): Effect {
  return SEVERITY.find((effect) => effects.includes(effect)) ?? 'unknown';
}
