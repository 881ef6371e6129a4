/** The actions of the browser itself: its tabs, and an open dialog of a page. */
import type { ActionArguments, ActionOutcome, RawAction } from '../../../../model/raw-action.ts';
import { BadArgumentError, NotDispatchedError } from '../../../probe.ts';
import type { ActivePage } from './active-page.ts';
import type { Page } from './page.ts';
import type { BrowserTargets } from './targets.ts';

export const BROWSER = 'browser';

const id = { name: 'id', type: 'string', required: true, description: 'tabs[i].id of the tab' } as const;
const base = { returns: 'void' } as const;

const TAB_ACTIONS: readonly RawAction[] = [
  {
    ...base,
    binding: `${BROWSER}|activate_tab`,
    name: 'activate_tab',
    parameters: [id],
    effect: 'setter',
    description: 'Brings a tab to the front; the state becomes that of its page.',
  },
  {
    ...base,
    binding: `${BROWSER}|open_tab`,
    name: 'open_tab',
    parameters: [
      { name: 'url', type: 'string', required: true, description: 'an http or https address, or about:blank' },
    ],
    effect: 'setter',
    description: 'Opens an address in a new tab, which becomes the active one.',
  },
  {
    ...base,
    binding: `${BROWSER}|close_tab`,
    name: 'close_tab',
    parameters: [id],
    // Text typed into the page is lost.
    effect: 'unknown',
    description: 'Closes a tab.',
  },
];

const DIALOG_ACTIONS: readonly RawAction[] = [
  {
    ...base,
    binding: `${BROWSER}|accept_dialog`,
    name: 'accept_dialog',
    parameters: [{ name: 'text', type: 'string', required: false, description: 'the answer to a prompt' }],
    effect: 'unknown',
    description: 'Presses OK in the dialog that the page has opened (dialog.message).',
  },
  {
    ...base,
    binding: `${BROWSER}|dismiss_dialog`,
    name: 'dismiss_dialog',
    parameters: [],
    effect: 'setter',
    description: 'Presses Cancel in the dialog that the page has opened (dialog.message).',
  },
];

export function browserActions(hasDialog: boolean): readonly RawAction[] {
  return hasDialog ? [...TAB_ACTIONS, ...DIALOG_ACTIONS] : TAB_ACTIONS;
}

/** A local file would become readable by everybody who has a key. */
const OPENABLE = /^https?:\/\/|^about:blank$/i;

export async function invokeBrowserAction(
  name: string,
  args: ActionArguments,
  { targets, active, page }: { targets: BrowserTargets; active: ActivePage; page: Page | null },
): Promise<ActionOutcome> {
  if (name === 'activate_tab' || name === 'close_tab') {
    const tab = (await targets.list()).find((target) => target.id === args.id);
    if (!tab) throw new BadArgumentError('parameters.id names no tab; expected one of tabs[i].id.');
    if (name === 'close_tab') {
      await targets.close(tab.id);
      return done(`closed the tab ${tab.title}`);
    }
    await targets.activate(tab.id);
    active.prefer(tab.id);
    return done(`brought the tab ${tab.title} to the front`);
  }
  if (name === 'open_tab') {
    const url = String(args.url);
    if (!OPENABLE.test(url))
      throw new BadArgumentError(`parameters.url "${url.slice(0, 100)}" is no http or https address.`);
    active.prefer(await targets.open(url));
    return done('opened the tab');
  }
  if (!page?.dialog) throw new NotDispatchedError('The page has no dialog open.');
  const accept = name === 'accept_dialog';
  const answer = typeof args.text === 'string' ? { promptText: args.text } : {};
  await page.session.send('Page.handleJavaScriptDialog', { accept, ...answer });
  return done(accept ? 'pressed OK' : 'pressed Cancel');
}

function done(message: string): ActionOutcome {
  return { ok: true, message, rawReturn: null, invocationContext: null };
}
