/**
 * The effect of a control, from its own words and markup. Judged by the whole text: the name of the action is cut, and
 * includes words of its surroundings.
 */
import { beginsUnsure, saysLasting, surelySaysLasting } from '../../../../../../model/control-words.ts';
import { type Effect, worstEffect } from '../../../../../../model/raw-action.ts';
import { wordsOf } from '../../../../../insight/screen/words.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** A link that begins with these leads to another page. */
const LEADING = words('go open');
/** A control that begins with these only shows something, whatever follows. */
const LOOKING = words('search find filter sort show hide view browse preview refresh expand collapse');
const LASTING_ADDRESS =
  /(?:^|[/?&=_.-])(?:log-?out|sign-?out|delete|remove|unsubscribe|destroy|cancel|revoke)(?:[/?&=_.-]|$)/i;

const isLasting = (text: string): boolean => saysLasting(wordsOf(text));
const isSurelyLasting = (text: string): boolean => surelySaysLasting(wordsOf(text));

/** For a tab, a disclosure, a menu or a sortable column head, according to its markup. */
export function viewEffect(text: string): Effect {
  return isSurelyLasting(text) ? 'unknown' : 'look';
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
  const spoken = wordsOf(text);
  return leads && (!beginsUnsure(spoken) || LEADING.has(spoken[0] ?? '')) ? 'look' : 'control';
}

/**
 * `title`: the name of the form. `button` is null if it has none. A button `Yes` or `Go` says nothing: anything may
 * happen.
 */
export function formEffect(title: string, button: string | null): Effect {
  if (button === null || isLasting(title) || isLasting(button)) return 'unknown';
  return isLooking(button) ? 'control' : 'unknown';
}

/** `name`: the common part of several names; words of only some of them are not in it. */
export function groupEffect(effects: readonly Effect[], name: string, isCut: boolean): Effect {
  const effect = worstEffect(effects);
  return isCut && effect === 'control' && !isLooking(name) ? 'unknown' : effect;
}

function isLooking(text: string): boolean {
  return LOOKING.has(wordsOf(text)[0] ?? '');
}
