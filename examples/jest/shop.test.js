// The daemon runs beside the test (`npx substrated up`), and SUBSTRATE_KEY is set.
const { spawn } = require('node:child_process');
const { connect } = require('substrated/test');

const shop = spawn(process.execPath, ['../coffee-shop.mjs'], { cwd: __dirname });
let app;

beforeAll(async () => {
  app = await connect(shop);
}, 30_000);
afterAll(() => {
  shop.kill();
});

test('changes the special', async () => {
  await expect(app).toReachState('shop.special', 'cappuccino');
  await app.action('shop.setSpecial', { drink: 'tea' });
  await expect(app).toReachState('shop.special', 'tea');
  await expect(app).not.toReachState('shop.special', 'cappuccino');
});
