/** Keys by the names that pages use, alone or with modifiers. */

const MODIFIERS: Readonly<Record<string, number>> = { Alt: 1, Control: 2, Ctrl: 2, Meta: 4, Shift: 8 };
const HIDES_TEXT = 1 | 2 | 4;
const CODES: Readonly<Record<string, number>> = {
  ...{ Backspace: 8, Tab: 9, Enter: 13, Escape: 27, PageUp: 33, PageDown: 34, End: 35, Home: 36 },
  ...{ ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, Insert: 45, Delete: 46 },
};

/** The parameters for the browser; null if there is no such key. `Control+s`, `Shift+Tab`, `F2`, `a`. */
export function strokeOf(text: string): object | null {
  const parts = text.length > 1 ? text.split(/\+(?=.)/) : [text];
  const name = parts.pop() ?? '';
  let modifiers = 0;
  for (const part of parts) {
    const bit = MODIFIERS[part];
    if (bit === undefined) return null;
    modifiers |= bit;
  }
  const [, f] = /^F([1-9]|1[0-2])$/.exec(name) ?? [];
  const code = f === undefined ? CODES[name] : 111 + Number(f);
  if (code !== undefined) {
    const typed = name === 'Enter' ? { text: '\r' } : {};
    return { key: name, code: name, windowsVirtualKeyCode: code, nativeVirtualKeyCode: code, modifiers, ...typed };
  }
  const key = name === 'Space' ? ' ' : name;
  if ([...key].length !== 1) return null;
  const isLetter = /^[a-z]$/i.test(key);
  const number = isLetter || /^\d$/.test(key) ? key.toUpperCase().charCodeAt(0) : key === ' ' ? 32 : 0;
  const named = isLetter ? { code: `Key${key.toUpperCase()}` } : /^\d$/.test(key) ? { code: `Digit${key}` } : {};
  const typed = (modifiers & HIDES_TEXT) === 0 ? { text: key } : {};
  return { key, ...named, windowsVirtualKeyCode: number, nativeVirtualKeyCode: number, modifiers, ...typed };
}
