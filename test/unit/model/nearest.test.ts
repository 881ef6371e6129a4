import { describe, expect, it } from 'vitest';
import { nearestNames } from '../../../src/model/nearest.ts';

const keys = ['cart.total', 'cart.items[0].total', 'cart.items[1].total', 'inbox.unread', 'inbox.emails[0].subject'];

describe('nearestNames', () => {
  it.each([
    ['cart.totl', ['cart.total', 'cart.items[0].total']],
    ['crt.total', ['cart.total', 'cart.items[0].total']],
    ['Cart.Total', ['cart.total', 'cart.items[0].total']],
    ['total', ['cart.total', 'cart.items[0].total']],
    ['inbox.urnead', ['inbox.unread']],
    ['inbox.unreadCount', ['inbox.unread']],
    ['inbox.emails[7].subject', ['inbox.emails[0].subject']],
    ['nothing.like.it', []],
    ['', []],
  ])('%s', (wanted, expected) => {
    expect(nearestNames(wanted, keys)).toEqual(expected);
  });

  it('serves action names', () => {
    const actions = ['inbox.sendEmail', 'inbox.deleteEmail', 'cart.checkout'];
    expect(nearestNames('inbox.sendMail', actions)).toEqual(['inbox.sendEmail']);
    expect(nearestNames('checkout', actions)).toEqual(['cart.checkout']);
    expect(nearestNames('inbox.sendEmail', actions, 1)).toEqual(['inbox.sendEmail']);
  });

  it('takes bounded time over many names', () => {
    const rows = Array.from({ length: 200_000 }, (_, index) => `list.items[${index}].name`);
    const alike = Array.from({ length: 200_000 }, (_, index) => `map.entry${index}.value${index}`);
    for (const names of [rows, alike]) {
      // CPU time, so that other programs of the machine do not count.
      const start = process.cpuUsage();
      expect(nearestNames('map.entry77.valu77x', [...names, 'last']).length).toBeLessThanOrEqual(3);
      expect(nearestNames('x'.repeat(100_000), names)).toEqual([]);
      expect(process.cpuUsage(start).user).toBeLessThan(2_000_000);
    }
    expect(nearestNames('list.items[5].nmae', rows)).toEqual(['list.items[0].name']);
  });
});
