/** Actions that an action has brought onto the screen, and known actions that are not on it now. */
import type { App } from '../client/index.ts';
import type { ActionEffect, StateLook } from '../model/state-look.ts';
import { shortText } from './action-text.ts';
import type { Apps } from './apps.ts';

const MOST_OPENED = 12;

/** `(not on the screen now:  store  cancel, opened by add_value)` */
export function closedLines(look: StateLook): string[] {
  const byOpener = new Map<string, string[]>();
  for (const [name, opener] of look.closedActions()) byOpener.set(opener, [...(byOpener.get(opener) ?? []), name]);
  return [...byOpener].slice(-MOST_OPENED).map(([opener, names]) => {
    const more = names.length > MOST_OPENED ? `  … ${names.length} in all` : '';
    return `(not on the screen now, opened by ${opener}:  ${names.slice(0, MOST_OPENED).join('  ')}${more})`;
  });
}

/** Newly available actions: a menu, a dialog or a part of the page has opened. */
export async function openedBy(
  apps: Apps,
  id: App,
  { appeared = [], urlBefore }: ActionEffect,
  look: StateLook,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (appeared.length === 0 || urlBefore !== look.facts.context.url) return [];
  const { actions } = await apps.substrate.schema(id, { signal });
  const names = appeared.flatMap((name) => (actions[name] ? shortText(name, actions[name], look) : []));
  const more = names.length > MOST_OPENED ? `  … ${names.length} in all` : '';
  return names.length === 0 ? [] : [`can be done now:  ${names.slice(0, MOST_OPENED).join('  ')}${more}`];
}
