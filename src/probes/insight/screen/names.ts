/** Turns texts for people, and identifiers, into names of keys. */
import type { Toolkit } from './screen-facts.ts';

const MAX_NAME = 40;
const MAX_WORDS = 6;
const MAX_DIGITS = 15;
export const MAX_QUOTED = 60;
const MAX_KNOWN = 5_000;

const words = (text: string): readonly string[] => text.split(' ');

const JAVA_WORDS =
  'field text textfield label box combo combobox check checkbox button btn area textarea table list tree spinner ' +
  'slider pane panel component input editor view bar radio toggle password progress lbl txt tf cb chk cmb cbo ' +
  'tbl lst spn rb fld j m my the scroll tabbed formatted menu item choice model';

/** Words in names of fields that say what the component is, not what it holds. */
const TYPE_WORDS: Readonly<Record<Toolkit, ReadonlySet<string>>> = {
  swing: new Set(words(JAVA_WORDS)),
  javafx: new Set(words(`${JAVA_WORDS} hbox vbox grid flow border stack anchor split titled accordion picker date fx`)),
  forms: new Set(
    words(
      'field text textbox label box combo combobox check checkbox button btn area table list listbox tree slider pane ' +
        'panel control input editor view bar radio toggle password progress lbl txt tb cb chk cmb cbo tbl lst nud num ' +
        'numeric up down rb rdo rad fld m my the scroll menu item choice model lv lvw tv tvw dgv dt dtp grid grd tsb ' +
        'tsl tst tsc tsmi ts ss strip tool tab tabs pnl grp gb group lnk link rich rtb masked checked picker clb trk ' +
        'track domain ui c ctl ex custom',
    ),
  ),
};

/** Names that Swing gives to the parts of its components. */
const NAME_OF_SWING =
  /^(?:(?:null|OptionPane|ComboBox|Spinner|ScrollBar|Tree|Table|List|TabbedPane|InternalFrameTitlePane|FileChooser|ToolBar|Menu)\.|(?:SplitPane|dialog|frame|win)\d*$)/;

/** A cache, since the same texts come with each change. */
const known = new Map<string, string>();

/** `Recipient's e-mail *` -> `recipients_e_mail`; empty if the text has neither letter nor digit. */
export function toName(text: string | undefined): string {
  if (!text) return '';
  let name = known.get(text);
  if (name === undefined) {
    name = joined(wordsOf(text));
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(text, name);
  }
  return name;
}

function joined(spoken: readonly string[]): string {
  let name = '';
  for (const word of spoken.slice(0, MAX_WORDS)) {
    const part = name === '' ? word.slice(0, MAX_NAME) : word;
    if (name.length + part.length > MAX_NAME) break;
    name = name === '' ? part : `${name}_${part}`;
  }
  return /^\p{Nd}/u.test(name) ? `_${name}` : name;
}

const WORD_STARTS = /(?<=[\p{Ll}\p{Nd}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/** `Recipient's e-mail *` -> recipients, e, mail. */
export function wordsOf(text: string | undefined): string[] {
  if (!text) return [];
  const plain = withoutAccents(text.trim());
  // Only a text without spaces can be camelCase.
  const parts = plain.includes(' ') ? [plain] : plain.split(WORD_STARTS);
  return parts
    .flatMap((part) => part.replace(/['’]/g, '').split(/[^\p{L}\p{Nd}]+/u))
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

function withoutAccents(text: string): string {
  if (!/[\u0080-\uffff]/.test(text)) return text;
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');
}

/** `amountField` and `txtAmount` become `amount`; `jTextField1` becomes empty. */
export function nameFromCode(code: string | undefined, toolkit: Toolkit): string {
  const spoken = wordsOf(code);
  const isType = (word: string) => {
    const plain = word.replace(/\p{Nd}+$/u, '');
    return plain === '' || TYPE_WORDS[toolkit].has(plain);
  };
  const first = spoken.findIndex((word) => !isType(word));
  const last = spoken.findLastIndex((word) => !isType(word));
  return first < 0 ? '' : joined(spoken.slice(first, last + 1));
}

/** From the app's name for a component, which in Windows Forms and FXML is the name of a variable. */
export function nameFromOwn(own: string | undefined, toolkit: Toolkit): string {
  return toolkit === 'swing' ? toName(own) : nameFromCode(own, toolkit);
}

export function isNameOfSwing(own: string | undefined): boolean {
  return own !== undefined && NAME_OF_SWING.test(own);
}

/** The first name that is not empty. */
export function firstName(...texts: readonly (string | undefined)[]): string {
  return texts.map(toName).find((name) => name !== '') ?? '';
}

/** The first text that is not blank. */
export function firstText(...texts: readonly (string | undefined)[]): string {
  return texts.map((text) => text?.trim() ?? '').find((text) => text !== '') ?? '';
}

export function shorten(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}

/** For descriptions. */
export function quoted(text: string): string {
  return `"${shorten(text, MAX_QUOTED)}"`;
}

/** `Cut (Ctrl+X)` becomes `Cut`. */
export function withoutKeys(tip: string | undefined): string | undefined {
  const open = tip?.lastIndexOf('(') ?? -1;
  return open > 0 && tip?.trim().endsWith(')') ? tip.slice(0, open).trim() : tip;
}

/** A number if the text is nothing but one; `007` and long runs of digits are identifiers, not numbers. */
export function toValue(text: string): string | number {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return text;
  return text.replace(/\D/g, '').length > MAX_DIGITS ? text : Number(text) || 0;
}
