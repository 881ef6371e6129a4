import { describe, expect, it } from 'vitest';
import type { Effect } from '../../../../../src/model/raw-action.ts';
import {
  formEffect,
  groupEffect,
  linkEffect,
  viewEffect,
} from '../../../../../src/probes/drivers/v8/page/dom/actions/consequences.ts';
import { pressEffect, toggleEffect } from '../../../../../src/probes/insight/screen/control-effect.ts';
import { judgeReversibility } from '../../../../../src/semantic/reversibility.ts';
import { rawAction } from '../../../semantic/raw-actions.ts';

const plain = { isPlain: true, href: '/orders/1' };
const judge = (name: string, effect: Effect) => judgeReversibility(rawAction(name, { effect }), new Set([name]));

describe('links', () => {
  it.each(['Home', 'Products', 'My settings', 'Go to cart', 'Open menu', 'Sign in', 'Next'])(
    '%s is a way to another page',
    (text) => {
      expect(linkEffect(text, plain)).toBe('look');
    },
  );

  it.each([
    'Remove',
    'Leave team',
    'Approve request',
    'Empty trash',
    'Discard draft',
    'Log out',
    'Sign-out',
    'Check out',
    'Delete',
    'Please read what is written below carefully before you pay',
  ])('%s may last', (text) => {
    expect(linkEffect(text, plain)).toBe('unknown');
  });

  it.each(['Cancel', 'Close', 'Forward'])('%s depends on what its name says', (text) => {
    expect(linkEffect(text, plain)).toBe('control');
  });

  it('without an address of its own is judged by its name', () => {
    expect(linkEffect('Home', { isPlain: false, href: '#void' })).toBe('control');
  });

  it.each(['/logout', '/users/7/delete', '/x?action=remove', 'sign-out.php'])('to %s may last', (href) => {
    expect(linkEffect('Bye', { isPlain: true, href })).toBe('unknown');
  });

  it.each(['/orders/cancellation-policy', '/blog/deleted-scenes', '/'])('to %s is harmless', (href) => {
    expect(linkEffect('Bye', { isPlain: true, href })).toBe('look');
  });
});

it.each(['Book', 'Orders', 'Order history', 'Reports', 'Posts', 'Upgrade guide'])('%s may be a name', (text) => {
  expect(linkEffect(text, plain)).toBe('look');
  expect(linkEffect(text, { isPlain: false, href: '#', isName: true })).toBe('look');
  expect(viewEffect(text)).toBe('look');
  expect(judge(`open_${text.toLowerCase().replace(' ', '_')}`, 'look')).toBe('reversible_write');
});

it('but not where only a script knows what happens, nor with words that are no names', () => {
  expect(linkEffect('Book', { isPlain: false, href: '#' })).toBe('unknown');
  expect(viewEffect('Remove all')).toBe('unknown');
  expect(judge('open_delete_account', 'look')).toBe('irreversible_write');
});

describe('tabs, toggles and buttons', () => {
  it.each(['Bold', 'Dark theme', 'Details', 'Wi-Fi'])('%s can be undone', (text) => {
    expect(toggleEffect(text)).toBe('setter');
  });

  it.each(['Confirm', 'Wire money', 'Publish', 'Subscribe to news'])('%s may last', (text) => {
    expect(toggleEffect(text)).toBe('unknown');
    expect(pressEffect(text)).toBe('unknown');
  });

  it('Go live depends on what its name says', () => {
    expect(toggleEffect('Go live')).toBe('control');
    expect(judge('toggle_go_live', 'control')).toBe('irreversible_write');
  });

  it('a button is judged by its name otherwise', () => {
    expect(pressEffect('Show details')).toBe('control');
  });
});

describe('forms', () => {
  it.each([
    ['search', 'Search', 'control'],
    ['products', 'Filter', 'control'],
    ['cancel_flight', 'Yes', 'unknown'],
    ['search', 'Go', 'unknown'],
    ['search', 'OK', 'unknown'],
    ['search', 'Continue', 'unknown'],
    ['search', null, 'unknown'],
    ['show_your_support', 'Sponsor', 'unknown'],
    ['delete_account', 'Show', 'unknown'],
    ['compose', 'Send', 'unknown'],
  ] as const)('%s with a button %s: %s', (title, button, effect) => {
    expect(formEffect(title, button)).toBe(effect);
  });
});

it('of several controls the most that one does counts, and what a common name hides', () => {
  expect(groupEffect(['setter', 'control', 'unknown'], 'open', false)).toBe('unknown');
  expect(groupEffect(['setter', 'control'], 'close', false)).toBe('control');
  expect(groupEffect(['control', 'control'], 'close', true)).toBe('unknown');
  expect(groupEffect(['control', 'control'], 'show', true)).toBe('control');
  expect(groupEffect(['setter', 'setter'], 'open_item', true)).toBe('setter');
});

const LASTING =
  'remove discard drop erase clear empty trash unsubscribe subscribe deactivate activate revoke confirm apply save ' +
  'accept agree approve reject decline deny book reserve register signup enroll invite share reply archive block ' +
  'unblock report ban unban merge rename import install uninstall update upgrade downgrade create logout signout ' +
  'logoff signoff optout donate bid bids bet bets vote withdraw exchange trade unlink overwrite replace leave quit ' +
  'resign fire hire wire pledge gamble place deposit sell rent renew redeem claim cashout void launch rollback ' +
  'restart reboot execute broadcast tweet retweet dial arm disarm evict expel suspend migrate promote demote assign ' +
  'grant authorize authorise finalize finalise revert restore restock ship send submit buy pay purchase order checkout ' +
  'publish post transfer deploy upload email notify charge refund delete destroy purge wipe reset terminate shutdown kill';

it.each(LASTING.split(' '))('%s lasts for the page and for the daemon', (word) => {
  expect(toggleEffect(`the ${word} thing`)).toBe('unknown');
  expect(judge(`show_the_${word}_thing`, 'control')).toBe('irreversible_write');
});
