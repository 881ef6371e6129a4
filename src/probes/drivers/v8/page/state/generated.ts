/** Names that a tool or a library made up: they say nothing, and are others after the next build or load. Pure. */

/** `:r1:`, `«r1»`, `_r_1_`: what React's `useId` gives, also within the id of a library. */
const REACT_ID = /:r[0-9a-z]+:|«r[0-9a-z]+»|^_r_[0-9a-z]+_$/i;
/** Libraries that number their elements. */
const NUMBERED_ID =
  /^(?:mui|react-select|react-aria|react-tabs|react-autowhatever|radix|headlessui|downshift|rc_select|rc-tabs|ui-id|ember|cdk|floating-ui|reka|bits|tippy|p-v|pr_id)(?:[-_][a-z]+)*[-_]?\d+(?:[-_][\w-]*)?$/i;
const LONG_ID = /^(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?=[a-f]*\d)[0-9a-f]{8,}|mantine-[0-9a-z]{6,})$/i;
/** Classes of libraries around every element of an app. Its ripples are told by theirs, to be left out. */
const LIBRARY_CLASS = /^(?:Mui(?!TouchRipple)[A-Z]|css$|sc$|jss$)/;
const READABLE = /^[a-zA-Z]{3,}(?:[-_]{1,2}[a-zA-Z]{3,})*$/;
/** Classes of a theme, a language, a device or a moment: another one comes with the next click. */
const PASSING_CLASS =
  /^(?:(?:is|has|theme|mode|color|scheme|lang)[-_].*|.*[-_](?:theme|mode|scheme)|light|dark|auto|ltr|rtl|mobile|tablet|desktop|touch|active|inactive|open|opened|closed|hidden|visible|shown|show|loading|loaded|ready|disabled|enabled|selected|current|focused|expanded|collapsed|dirty|pristine|valid|invalid|touched|untouched)$/i;
/** Three consonants that begin or end words. */
const CLUSTERS =
  /str|scr|spl|spr|thr|shr|sch|tch|ght|nts|nds|rds|rts|rks|cks|mpl|mpt|nch|ngs|ntr|ndl|ckl|ttl|ddl|ppl|bbl/g;

/** An id that a library gave to an element. As a value it is no state. */
export function isLibraryId(text: string): boolean {
  return text.length < 100 && (REACT_ID.test(text) || NUMBERED_ID.test(text));
}

/** An id that names nothing. */
export function isGeneratedId(text: string): boolean {
  return isLibraryId(text) || LONG_ID.test(text);
}

/** The first class that is a word: not hashed (`css-1x2y3z`), not a utility (`p-4`); without the hash of CSS modules. */
export function readableClass(classes: string): string | null {
  const names = classes.split(/\s+/);
  // Beside the name of the component stands one for its styles.
  const isStyled = names.some((name) => /(^|-)sc-[a-zA-Z]/.test(name));
  for (const name of names) {
    if (isStyled && /^[a-zA-Z]{4,8}$/.test(name)) continue;
    const word = withoutHash(name);
    if (READABLE.test(word) && !LIBRARY_CLASS.test(word) && !PASSING_CLASS.test(word) && !isHash(word)) return word;
  }
  return null;
}

function withoutHash(name: string): string {
  const [, local] = /^_([a-zA-Z][\w-]*?)_[a-z0-9]{5,6}_\d+$/.exec(name) ?? [];
  if (local !== undefined) return local;
  const word = name
    .replace(/-sc-[\w-]+$/, '')
    .replace(/^css-[a-z0-9]+-(?=[A-Z])/, '')
    .replace(/^(?:makeStyles|withStyles)-/, '')
    .replace(/-\d+$/, '');
  const [, before, suffix] = /^(.+?)(?:__|--|_|-)([A-Za-z0-9+]{5,8})$/.exec(word) ?? [];
  const isModule = before !== undefined && suffix !== undefined && (/\d/.test(suffix) || isHash(suffix));
  return (isModule ? before : word).replace(/^(?:styles?|index)[-_]+(?:module[-_]+)?(?=.)|[-_]module(?=[-_])/, '');
}

/** Letters in an order that no word has, such as `iVhmbi`. */
function isHash(word: string): boolean {
  if (!/^[a-zA-Z]{5,8}$/.test(word) || !/^.+[A-Z]/.test(word) || /^[A-Z]+$/.test(word)) return false;
  const parts = word.match(/[A-Z]?[a-z]+|[A-Z]/g) ?? [];
  const [first = ''] = parts;
  if (parts.some((part) => part.length > 1 && !/[aeiouy]/i.test(part))) return true;
  if (parts.filter((part) => part.length === 1).length > 1) return true;
  const isHard = parts.some((part) => /[bcdfghjklmnpqrstvwxz]{3}/i.test(part.toLowerCase().replace(CLUSTERS, '')));
  return isHard && (first.length === 1 || /[bcdfghjklmnpqrstvwxz]{4}/i.test(word));
}
