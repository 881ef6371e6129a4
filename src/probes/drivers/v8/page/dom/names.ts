/** Names and values in the texts of a page. */
import { toName } from '../../../../insight/screen/words.ts';

const MAX_CONTEXT_WORDS = 4;

/** The name of a row or section, without parts that may change: `Lyon: 18.0 °C` is `lyon`. */
export function contextName(text: string): string {
  const [first = ''] = text.split(/[:;,|•·–—(]|\s-\s|\s[$€£#]?\d/);
  return (toName(first) || toName(text)).split('_').slice(0, MAX_CONTEXT_WORDS).join('_');
}

/** Replaces runs of white space by one space. */
export function squeeze(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** `Total: 42.50` and `3 items left` are a name and a value in one text. */
export function splitPair(text: string): { name: string; value: string } | null {
  const labelled = /^([A-Za-z\u00aa-\uffff][^:\n]{0,39}?)\s*:\s+(\S.*)$/.exec(text);
  if (labelled) return { name: toName(labelled[1] ?? ''), value: labelled[2] ?? '' };
  const counted = /^(\d{1,9}) ([A-Za-z\u00aa-\uffff][A-Za-z\u00aa-\uffff ]{1,30})$/.exec(text);
  if (counted) return { name: toName(counted[2] ?? ''), value: counted[1] ?? '' };
  return null;
}

/** True for a text that appears beside a label: an amount, a count, a share, a time. */
export function looksLikeValue(text: string): boolean {
  return text.length <= 40 && /\d/.test(text) && !/[A-Za-z\u00aa-\uffff]{12}/.test(text) && text.split(' ').length <= 4;
}

export function looksLikeLabel(text: string): boolean {
  return text.length >= 2 && text.length <= 40 && /^[A-Za-z\u00aa-\uffff][^\d.!?]*$/.test(text);
}

/** `From:` -> `from`; empty if it is no label. */
export function labelName(text: string): string {
  return looksLikeLabel(text.slice(0, -1)) ? toName(text) : '';
}
