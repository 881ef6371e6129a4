import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isThing, viewOfAddress, viewOfTexts } from '../../../../../src/probes/drivers/v8/page/dom/view-name.ts';

const at = (url: string) => viewOfAddress(new URL(url, 'https://shop.example'));

describe('viewOfAddress', () => {
  it.each<[string, string | null]>([
    ['/', null],
    ['/index.html', null],
    ['/home', null],
    ['/orders', 'orders'],
    ['/orders/1001', 'orders.detail'],
    ['/orders/1001/edit', 'orders.edit'],
    ['/orders/1001/lines/7', 'orders.lines.detail'],
    ['/users/0b9f3c1e-58cc-4372-a567-0e02b2c3d479/settings', 'users.settings'],
    ['/commit/4de051a9c2', 'commit.detail'],
    ['/p/iphone-15-pro-max-256gb', 'p.detail'],
    ['/issues/ABC-123', 'issues.detail'],
    ['/mail/ada@example.org', 'mail.detail'],
    ['/en/orders', 'orders'],
    ['/de-AT/orders/', 'orders'],
    ['/en', 'en'],
    ['/api/v2/docs', 'api.v2.docs'],
    ['/checkout.php?step=2#top', 'checkout'],
    ['/userProfile', 'user_profile'],
    ['/#/products/42', 'products.detail'],
    ['/app#!/inbox?q=1', 'inbox'],
    ['/#section', null],
    ['/a/b/c/d/e', 'a.b.c.d'],
    ['/%E0%A4%A', 'e0_a4_a'],
    ['/caf%C3%A9', 'cafe'],
    ['file:///home/ada/pages/todo.html', 'todo'],
    ['file:///home/ada/pages/index.html', null],
    ['about:blank', null],
    ['data:text/html,hello', null],
  ])('%s is %s', (url, view) => {
    expect(at(url)).toBe(view);
  });

  it('is the same for all things of one kind, and never holds their number', () => {
    fc.assert(
      fc.property(fc.nat(), fc.uuid(), (id, uuid) => {
        expect(at(`/orders/${id}/edit`)).toBe('orders.edit');
        expect(at(`/orders/${uuid}`)).toBe('orders.detail');
      }),
    );
  });

  it('takes any path', () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (url) => {
        const view = at(url);
        if (view !== null) expect(view).toMatch(/^[^/?#\s]+$/);
      }),
    );
  });
});

it.each(['settings', 'v2', 'new', 'order-history'])('%s is no thing', (segment) => {
  expect(isThing(segment)).toBe(false);
});

it('falls back to the first text that makes a name', () => {
  expect(viewOfTexts([null, '🛒', 'My inbox', 'Shop'])).toBe('my_inbox');
  expect(viewOfTexts([null, ''])).toBe(null);
});
