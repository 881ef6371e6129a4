// The daemon runs beside the test (`npx substrated up`), and SUBSTRATE_KEY is set.
import { spawn } from 'node:child_process';
import { type AppHandle, connect } from 'substrated/test';
import { afterAll, beforeAll, expect, test } from 'vitest';

const shop = spawn(process.execPath, ['../coffee-shop.mjs'], { cwd: import.meta.dirname });
let app: AppHandle;

beforeAll(async () => {
  app = await connect(shop);
}, 30_000);
afterAll(() => {
  shop.kill();
});

test('opens with a special', async () => {
  await expect(app).toReachState('shop.special', 'cappuccino');
  await expect(app).not.toReachState('shop.open', false);
});

test('takes an order', async () => {
  await app.action('shop.placeOrder', { customer: 'Hedy', drink: 'tea' }, { verify: 'shop.queue.length > 0' });
  // Other orders come meanwhile, so hers is not the last one for long.
  await expect(app).toReachState('shop.queue.find(it => it.customer === "Hedy")', { drink: 'tea', size: 'medium' });
});
