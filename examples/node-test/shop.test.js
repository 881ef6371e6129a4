// The daemon runs beside the test (`npx substrated up`), and SUBSTRATE_KEY is set.
import { spawn } from 'node:child_process';
import { after, before, test } from 'node:test';
import { assertReach, assertReachState, connect } from 'substrated/test';

const shop = spawn(process.execPath, ['../coffee-shop.mjs'], { cwd: new URL('.', import.meta.url) });
let app;

before(async () => {
  app = await connect(shop);
});
after(() => {
  shop.kill();
});

test('changes the special', async () => {
  await app.action('shop.setSpecial', { drink: 'tea' });
  await assertReachState(app, 'shop.special', 'tea');
  await assertReach(app, 'shop.open && shop.queue.length > 0');
});
