/**
 * Editors of code hold their text in a script, draw the visible lines, and receive keys through an invisible field,
 * whose content is not the text.
 */
import {
  attributeOf,
  findInside,
  firstChild,
  hasAttribute,
  nextSibling,
  nodeType,
  tagOf,
  textContent,
} from '../nodes.ts';
import { isElement, isInline, isSilent } from '../text.ts';

interface EditorParts {
  readonly line: string;
  /** The element that receives the keys. */
  readonly input: string;
  /** It completes and indents typed text, so only pasting keeps a text unchanged. */
  readonly rewrites?: true;
}

const EDITORS: Readonly<Record<string, EditorParts>> = {
  CodeMirror: { line: '.CodeMirror-code .CodeMirror-line', input: 'textarea,.CodeMirror-code[contenteditable]' },
  'cm-editor': { line: '.cm-line', input: '.cm-content' },
  'monaco-editor': {
    line: '.view-lines > .view-line',
    input: 'textarea.inputarea,.native-edit-context',
    rewrites: true,
  },
  ace_editor: { line: '.ace_text-layer .ace_line', input: 'textarea.ace_text-input' },
};
const MARK = new RegExp(`(?:^|\\s)(${Object.keys(EDITORS).join('|')})(?:\\s|$)`);
const MAX_LINES = 2_000;
const MAX_STEPS = 20_000;
/** Texts that an editor uses in place of a label. */
const NO_LABEL = /accessibility options|^cursor at row|^editor content/i;

function partsOf(element: Element): EditorParts | null {
  const mark = MARK.exec(attributeOf(element, 'class') ?? '')?.[1];
  return mark === undefined ? null : (EDITORS[mark] ?? null);
}

export function isEditor(element: Element): boolean {
  return editorInput(element) !== null;
}

export function editorInput(element: Element): Element | null {
  const parts = partsOf(element);
  return parts && findInside(element, parts.input);
}

/** Returns true if it was pasted; otherwise it must be typed. */
export function pasteInto(element: Element, text: string): boolean {
  const input = editorInput(element);
  if (!input || partsOf(element)?.rewrites !== true) return false;
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true, composed: true }));
  return true;
}

/** The lines that it draws; for a long text the visible ones. */
export function editorText(element: Element): string {
  const parts = partsOf(element);
  if (!parts) return '';
  const lines = [...element.querySelectorAll(parts.line)].slice(0, MAX_LINES);
  // One editor places its lines in any order.
  const tops = new Map(lines.map((line) => [line, topOf(line)]));
  if (lines.some((line) => tops.get(line) !== 0)) lines.sort((a, b) => (tops.get(a) ?? 0) - (tops.get(b) ?? 0));
  return lines.map(lineText).join('\n');
}

function topOf(line: Element): number {
  const [, top = '0'] = /(?:^|[\s;])top:\s*(-?[\d.]+)px/.exec(attributeOf(line, 'style') ?? '') ?? [];
  return Number(top);
}

function lineText(line: Element): string {
  return (textContent(line) ?? '').replace(/[\u200b\ufeff]/g, '').replace(/\u00a0/g, ' ');
}

export function editorLabel(element: Element): string {
  const input = editorInput(element);
  const label = (input && attributeOf(input, 'aria-label')) ?? '';
  return NO_LABEL.test(label) ? '' : label;
}

/** True if it only shows its text. */
export function isReadOnly(field: Element): boolean {
  const input = editorInput(field) ?? field;
  if (attributeOf(input, 'aria-readonly') === 'true') return true;
  const isTyped = tagOf(input) === 'textarea' || tagOf(input) === 'input';
  return isTyped ? hasAttribute(input, 'readonly') : attributeOf(input, 'contenteditable') === 'false';
}

/** The text of an editable part of the page, line by line. */
export function richText(root: Element): string {
  let text = '';
  let steps = 0;
  const newLine = () => {
    if (text !== '' && !text.endsWith('\n')) text += '\n';
  };
  const read = (node: Node): void => {
    for (let child = firstChild(node); child && ++steps < MAX_STEPS; child = nextSibling(child)) {
      if (nodeType(child) === 3) text += child.nodeValue ?? '';
      else if (isElement(child) && !isSilent(tagOf(child))) readElement(child);
    }
  };
  const readElement = (element: Element): void => {
    // The last one of a line only keeps the line open.
    if (tagOf(element) === 'br') text += nextSibling(element) ? '\n' : '';
    else if (isInline(element)) read(element);
    else {
      newLine();
      read(element);
      newLine();
    }
  };
  read(root);
  return text.replace(/[\u200b\ufeff]/g, '').replace(/\n+$/, '');
}
