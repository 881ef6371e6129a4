import { describe, expect, it } from 'vitest';
import type { Effect } from '../../../src/model/raw-action.ts';
import { hasDangerousName, judgeReversibility } from '../../../src/semantic/reversibility.ts';
import { rawAction } from './raw-actions.ts';

const WORDS = ['delete', 'destroy', 'purge', 'wipe', 'reset', 'clear_all', 'terminate', 'shutdown', 'kill'];
const judge = (name: string, effect: Effect, ...others: string[]) =>
  judgeReversibility(rawAction(name, { effect }), new Set([name, ...others]));

describe('dangerous names', () => {
  it.each(WORDS)('%s, in any case and at any place', (word) => {
    const capital = `${word[0]?.toUpperCase()}${word.slice(1)}`;
    for (const name of [
      word,
      word.toUpperCase(),
      `cart.${word}Items`,
      `cart.do${capital}`,
      `x_${word}_y`,
      `${word}.run`,
    ]) {
      expect(hasDangerousName(name)).toBe(true);
      for (const effect of ['none', 'setter', 'own-state', 'unknown'] as const)
        expect(judge(name, effect)).toBe('irreversible_write');
    }
  });

  it.each(['clearAll', 'cart.ClearAll', 'CLEARALL', 'preset', 'skillUp'])('%s too', (name) => {
    expect(hasDangerousName(name)).toBe(true);
  });

  it.each(['clear', 'cart.add', 'remove', 'close', 'stop', '', 'show'])('not %j', (name) => {
    expect(hasDangerousName(name)).toBe(false);
  });
});

describe('judgeReversibility', () => {
  it.each<[string, Effect, string[], ReturnType<typeof judge>]>([
    ['cart.getTotal', 'none', [], 'reversible_read'],
    ['mail.send', 'none', [], 'reversible_read'],
    ['cart.setCoupon', 'setter', [], 'reversible_write'],
    ['mail.send', 'setter', [], 'irreversible_write'],
    ['set_email', 'setter', [], 'reversible_write'],
    ['set_volume', 'setter', [], 'reversible_write'],
    ['set_reset_code', 'setter', [], 'irreversible_write'],
    ['mail.sendNow', 'own-state', ['mail.toggle'], 'irreversible_write'],
    ['order_desk.view.show_grid', 'control', [], 'reversible_write'],
    ['order.setNote', 'setter', [], 'reversible_write'],
    ['cart.placeOrder', 'own-state', [], 'irreversible_write'],
    ['cart.toggle', 'own-state', [], 'reversible_write'],
    ['toggleMenu', 'own-state', [], 'reversible_write'],
    ['list.select_row', 'own-state', [], 'reversible_write'],
    ['list.selection', 'own-state', [], 'irreversible_write'],
    ['settings', 'own-state', [], 'irreversible_write'],
    ['cart.addItem', 'own-state', ['cart.removeItem'], 'reversible_write'],
    // Removed data does not come back unchanged; a started process has done something meanwhile.
    ['cart.removeItem', 'own-state', ['cart.addItem'], 'irreversible_write'],
    ['stack.pop', 'own-state', ['stack.push'], 'irreversible_write'],
    ['start', 'own-state', ['stop'], 'irreversible_write'],
    ['cart.addItem', 'own-state', ['list.removeItem'], 'irreversible_write'],
    ['cart.addItem', 'own-state', ['cart.removeThing'], 'irreversible_write'],
    ['cart.address', 'own-state', ['cart.removeress'], 'irreversible_write'],
    ['open', 'own-state', ['close'], 'irreversible_write'],
    ['show', 'own-state', ['hide'], 'reversible_write'],
    ['Cart.AddItem', 'own-state', ['Cart.RemoveItem'], 'reversible_write'],
    ['Cart.AddItem', 'own-state', ['Cart.removeItem'], 'irreversible_write'],
    ['Cart.ToggleGift', 'own-state', [], 'reversible_write'],
    ['Mail.Send', 'setter', [], 'irreversible_write'],
    ['Shop.PayNow', 'own-state', ['Shop.ToggleGift'], 'irreversible_write'],
    ['Shop.Payee', 'setter', [], 'reversible_write'],
    ['cart.addItem', 'unknown', ['cart.removeItem'], 'irreversible_write'],
    ['cart.toggle', 'unknown', [], 'irreversible_write'],
    ['cart.run', 'unknown', [], 'irreversible_write'],
  ])('%s with effect %s beside %j is %s', (name, effect, others, expected) => {
    expect(judge(name, effect, ...others)).toBe(expected);
  });
});

describe('controls of the user interface', () => {
  it.each([
    'show_details',
    'hide',
    'open_settings',
    'openMenu',
    'close',
    'expand_all',
    'next',
    'previous_page',
    'back',
    'go_to_page_2',
    'cancel',
    'dismiss',
    'search',
    'filter_by_price',
    'sortByName',
    'view_cart',
    'toggle_sidebar',
    'select_all',
    'zoom_in',
    'more',
    'main_menu',
    'load_more',
    'refresh',
    'page_3',
    'view_account',
    'show_plan',
    'close_2',
    'close_dialog',
    'close_all_tabs',
    'open_menu',
    'open_cancel',
    'cancel_search',
    'dismiss_banner',
    'next_photo',
    'back_to_products',
    'go_back',
    'switch_view',
    'toggle_dark_theme',
    'toggle_switch_to_dark_mode',
    'sort',
    'filter',
    'redo',
    'play',
    '3',
  ])('%s only changes what is shown', (name) => {
    expect(judge(name, 'control')).toBe('reversible_write');
  });

  it.each([
    'buy_now',
    'pay',
    'compose_send',
    'submit',
    'place_order',
    'checkout',
    'publish_post',
    'delete_milk',
    'remove_milk',
    'discard_draft',
    'unsubscribe',
    'deactivate_user',
    'revoke_access',
    'sign_out',
    'open_log_out',
    'logout',
    'confirm',
    'apply_coupon',
    'save',
    'close_and_save',
    'next_and_pay',
    'cancel_order',
    'cancel_subscription',
    'close_account',
    'switch_plan',
    'reset_filters',
    'show_and_delete',
    'yes',
    'continue',
    'add_milk',
    'archive',
    'update_details',
    'open_remove',
    'open_leave_team',
    'open_approve_request',
    'open_empty_trash',
    'open_discard_draft',
    'open_cancel_flight',
    'show_confirm',
    'show_go_live',
    'toggle_wire_money',
    'cancel_flight_yes',
    'go_live',
    'find_and_replace_all',
    'close_poll',
    'cancel_appointment',
    'cancel_all',
    'close_all',
    'switch_off_server',
    'switch_user',
    'dismiss_employee',
    'open_garage_door',
    'forward_to_everyone',
    'close_deal',
    'next_place_bets',
    'back_this_project',
    'go_all_in',
    'choose_winner',
    'select_plan',
    'play_lottery',
    'reload_card',
    'redo_surgery',
    'pause_campaign',
    'placeOrder',
    'check_out',
    '',
    '名前',
  ])('%s may last', (name) => {
    expect(judge(name, 'control')).toBe('irreversible_write');
  });

  it.each<[string, string, ReturnType<typeof judge>]>([
    ['increment', 'decrement', 'reversible_write'],
    ['increase_quantity', 'decrease_quantity', 'reversible_write'],
    ['add_milk', 'remove_milk', 'reversible_write'],
    ['add_cup', 'remove_cup', 'reversible_write'],
    ['remove_milk', 'add_milk', 'irreversible_write'],
    ['remove_photo', 'add_photo', 'irreversible_write'],
    ['remove_card', 'add_card', 'irreversible_write'],
    ['open_garage_door', 'close_garage_door', 'irreversible_write'],
    ['close_poll', 'open_poll', 'irreversible_write'],
    ['unlock_door', 'lock_door', 'irreversible_write'],
    ['add_funds', 'remove_funds', 'irreversible_write'],
    ['add_milk', 'remove_bread', 'irreversible_write'],
    ['enable_alerts', 'disable_alerts', 'reversible_write'],
    ['subscribe_news', 'unsubscribe_news', 'irreversible_write'],
    ['start_job', 'stop_job', 'irreversible_write'],
  ])('%s beside %s is %s', (name, other, expected) => {
    expect(judge(name, 'control', other)).toBe(expected);
  });
});
