/** Keys that work everywhere in the page. Lists and the tree have their own for navigation. */
import { useEffect } from 'preact/hooks';
import { linkTo, linkToList, type Route, TABS } from './route.ts';

export const SHORTCUTS: readonly (readonly [keys: string, what: string])[] = [
  ['/', 'search, or filter the list'],
  ['j  k  ↓  ↑', 'next and previous row'],
  ['→  ←', 'open and close a branch of the tree'],
  ['*', 'open all below a branch, as Alt with a click does'],
  ['Enter', 'open an app, show the details of a key'],
  ['1  2  3  4  5', 'state, actions, changes, verify, charts'],
  ['p', 'pin a key of the tree to the charts'],
  ['Esc', 'leave a field, close details, back to the list'],
  ['?', 'this help'],
];

export function useShortcuts({ route, showHelp }: { route: Route; showHelp: () => void }): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const { target } = event;
      if (document.querySelector('dialog[open]')) return;
      if (target instanceof Element && target.matches('input, textarea, select, [contenteditable]')) {
        if (event.key === 'Escape' && target instanceof HTMLElement) target.blur();
        return;
      }
      if (act(event.key, route, showHelp)) event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [route, showHelp]);
}

/** Returns true if the key has a meaning. */
function act(key: string, route: Route, showHelp: () => void): boolean {
  const tab = TABS[Number(key) - 1];
  if (key === '?') showHelp();
  else if (key === '/') focusSearch();
  else if (key === 'j' || key === 'ArrowDown') return moveInList(1);
  else if (key === 'k' || key === 'ArrowUp') return moveInList(-1);
  else if (key === 'Escape' && route !== null) location.hash = linkToList();
  else if (tab !== undefined && route !== null) location.hash = linkTo(route.pid, tab);
  else return false;
  return true;
}

/** The search of the view, or else the filter of the list: whichever is visible. */
function focusSearch(): void {
  const fields = [...document.querySelectorAll<HTMLInputElement>('input[type=search]')];
  const field = fields.sort((left, right) => Number(inMain(right)) - Number(inMain(left))).find(isSeen);
  field?.focus();
  field?.select();
}

function moveInList(step: number): boolean {
  const active = document.activeElement;
  // Within a view the arrows scroll, or belong to the focused element.
  if (active !== null && active !== document.body && active.closest('.shell-main')) return false;
  const rows = [...document.querySelectorAll<HTMLElement>('.apps-row')].filter(isSeen);
  const at = rows.findIndex((row) => row.contains(active));
  const next = rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))];
  next?.focus();
  return next !== undefined;
}

const inMain = (element: Element) => element.closest('.shell-main') !== null;
const isSeen = (element: HTMLElement) => element.offsetParent !== null;
