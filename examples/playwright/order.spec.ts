// The daemon runs beside the test (`npx substrated up`), and SUBSTRATE_KEY is set.
import { expect, test } from 'substrated/test/playwright';

test('an order reaches the server', async ({ page, server, pageApp }) => {
  await page.goto('/');
  await expect(server).toReachState('shop.orders.length', 0);

  await page.getByLabel('Customer').fill('Hedy');
  await page.getByRole('button', { name: 'Order' }).click();

  // The server behind the page, the page's own variables, and what a person sees.
  await expect(server).toReachState('shop.orders', [{ customer: 'Hedy', drink: 'tea', isPaid: false }]);
  await expect(pageApp).toReachState('counter', { sent: 1, ticket: 1 });
  await expect(page.getByRole('status')).toHaveText('Ticket 1');
});
