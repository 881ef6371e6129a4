/** From names in code to names of keys, and texts for descriptions. */
import type { Toolkit } from './screen-facts.ts';
import { nameOfWords, shorten, toName, wordsOf } from './words.ts';

export const MAX_QUOTED = 60;

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

/** `amountField` and `txtAmount` become `amount`; `jTextField1` becomes empty. */
export function nameFromCode(code: string | undefined, toolkit: Toolkit): string {
  const spoken = wordsOf(code);
  const isType = (word: string) => {
    const plain = word.replace(/\p{Nd}+$/u, '');
    return plain === '' || TYPE_WORDS[toolkit].has(plain);
  };
  const first = spoken.findIndex((word) => !isType(word));
  const last = spoken.findLastIndex((word) => !isType(word));
  return first < 0 ? '' : nameOfWords(spoken.slice(first, last + 1));
}

/** From the app's name for a component, which in Windows Forms and FXML is the name of a variable. */
export function nameFromOwn(own: string | undefined, toolkit: Toolkit): string {
  return toolkit === 'swing' ? toName(own) : nameFromCode(own, toolkit);
}

export function isNameOfSwing(own: string | undefined): boolean {
  return own !== undefined && NAME_OF_SWING.test(own);
}

/** The first text that is not blank. */
export function firstText(...texts: readonly (string | undefined)[]): string {
  return texts.map((text) => text?.trim() ?? '').find((text) => text !== '') ?? '';
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
