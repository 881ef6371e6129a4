// `node scripts/screenshots.mjs [name]`: makes the pictures of docs/images, or one of them, from real programs: the
// built daemon, the examples (Node.js, Java, a web page) and Chromium, in which the dashboard is used as by a person.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { ROOT } from './install.mjs';

const IMAGES = path.join(ROOT, 'docs/images');
const BINARY = path.join(ROOT, 'dist/substrate.js');
/** The only picture to keep, if one is named. */
const [, , ONLY] = process.argv;
const MAX_BYTES = 200_000;
const TIMEOUT_MS = 60_000;
/** The number of seconds with changes that make a good drawing. */
const LIVELY = 8;
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'substrate-pictures-'));
const children = [];
let browser;
const server = http.createServer((_, response) => {
  response.setHeader('content-type', 'text/html');
  fs.createReadStream(path.join(ROOT, 'examples/to-do.html')).pipe(response);
});
try {
  await main();
} finally {
  await browser?.close();
  await Promise.all(children.map(end));
  server.close();
  fs.rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

async function main() {
  const pids = [
    start(process.execPath, [path.join(ROOT, 'examples/coffee-shop.mjs')]).pid,
    start(process.execPath, [path.join(ROOT, 'test/targets/shop.cjs')]).pid,
    start('java', [path.join(ROOT, 'examples/TeaHouse.java')]).pid,
    await startToDo(),
  ];
  const { base, key } = await startDaemon();
  const apps = async () => {
    const response = await fetch(`${base}/substrate/v1/apps`, { headers: { 'x-substrate-key': key } });
    return (await response.json()).apps;
  };
  await until(
    async () =>
      (await apps()).filter(({ pid, object_count }) => pids.includes(pid) && object_count > 0).length === pids.length,
  );
  browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--disable-gpu', '--disable-quic', '--disable-lcd-text'],
  });
  const open = async (options) => {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    // The list shows only these: other programs of this machine are private.
    await page.route('**/substrate/v1/apps', async (route) => {
      const response = await route.fetch();
      const shown = (await response.json()).apps.filter(({ pid }) => pids.includes(pid));
      await route.fulfill({ response, json: { apps: shown } });
    });
    const headers = { 'x-substrate-key': key, 'content-type': 'application/json' };
    const made = await fetch(`${base}/substrate/v1/dashboard/code`, { method: 'POST', headers, body: '{}' });
    await page.goto(`${base}/#code=${(await made.json()).code}`);
    await page.getByRole('link', { name: new RegExp(`pid ${pids[0]}`) }).waitFor();
    const go = (tab) => page.evaluate((hash) => location.assign(hash), `#/app/${pids[0]}/${tab}`);
    return { page, go };
  };
  fs.mkdirSync(IMAGES, { recursive: true });
  const wide = { viewport: { width: 1440, height: 720 } };

  const light = await open(wide);
  await showLife(light.page, pids[0]);
  await showState(light);
  await picture(light.page, 'dashboard-state');
  await light.page.setViewportSize({ width: 1440, height: 900 });
  await placeOrder(light);
  await picture(light.page, 'dashboard-actions');
  await close(light);

  const dark = await open({ ...wide, colorScheme: 'dark' });
  await dark.go('changes');
  await dark.page.getByRole('radio', { name: 'B: Compare with now' }).check();
  await dark.page
    .getByRole('region', { name: 'Difference' })
    .getByRole('listitem')
    .nth(3)
    .waitFor({ timeout: TIMEOUT_MS });
  await dark.page.locator('.changes-timeline tbody tr').nth(8).waitFor({ timeout: TIMEOUT_MS });
  await picture(dark.page, 'dashboard-dark');
  await close(dark);

  const phone = { viewport: { width: 360, height: 720 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
  const narrow = await open(phone);
  await showState(narrow, false);
  await picture(narrow.page, 'dashboard-narrow');
  await close(narrow);

  const charts = await open({ viewport: { width: 1440, height: 640 } });
  await showCharts(charts);
  await picture(charts.page, 'dashboard-charts', false);
  await close(charts);
}

/** Three keys that have changed several times, read at one time of the past. */
async function showCharts({ page, go }) {
  const keys = ['shop.queue.length', 'shop.served', 'day', 'shop.open'];
  await go(`charts?${new URLSearchParams(keys.map((key) => ['key', key]))}`);
  const plot = page.getByRole('slider', { name: 'shop.queue.length over time' });
  await plot.waitFor();
  await page
    .getByText(/^changes\d\d$/)
    .first()
    .waitFor({ timeout: TIMEOUT_MS });
  const { width } = await plot.boundingBox();
  await plot.hover({ position: { x: width * 0.6, y: 50 } });
}

/** Changes are counted since the page was opened: the drawings in the list are flat at first. */
async function showLife(page, pid) {
  const drawing = page.getByRole('link', { name: new RegExp(`pid ${pid}`) }).locator('.apps-sparkline path');
  await until(async () => {
    const heights = [...(await drawing.getAttribute('d')).matchAll(/ ([\d.]+)/g)].map(([, height]) => Number(height));
    const ground = Math.max(...heights);
    return heights.filter((height) => height < ground).length >= LIVELY;
  });
}

/** The tree with open branches, and the details of a key that has just changed. */
async function showState({ page, go }, hasDetails = true) {
  await go('state');
  await page.getByRole('button', { name: 'Close all' }).click();
  for (const name of ['shop', 'shop.queue', 'shop.queue[0]']) {
    const row = page.getByRole('treeitem').filter({ has: page.getByTitle(name, { exact: true }) });
    await row.waitFor();
    if ((await row.getAttribute('aria-expanded')) === 'false') await row.locator('.state-toggle').click();
  }
  const served = page.getByRole('treeitem').filter({ has: page.getByTitle('shop.served', { exact: true }) });
  if (hasDetails) await served.click();
  await served.locator('.state-fresh').waitFor({ timeout: TIMEOUT_MS });
}

async function placeOrder({ page, go }) {
  await go('actions');
  await page.getByRole('option', { name: 'shop.placeOrder' }).click();
  await page.getByLabel(/^customer/).fill('Hedy');
  await page.getByLabel(/^drink/).fill('tea');
  await page.getByLabel(/^Verify/).fill('shop.queue.at(-1).customer === "Hedy"');
  // Only the changes of the action, not those of the shop since the last capture.
  await page.getByLabel('Look again before it runs').check();
  await page.getByRole('button', { name: 'Run…' }).click();
  await page.getByRole('button', { name: 'Yes, run it' }).click();
  await page.getByRole('region', { name: 'Result' }).getByRole('heading', { name: 'Success' }).waitFor();
  await page.locator('.actions-detail').evaluate((form) => form.scrollTo(0, 0));
}

async function close({ page }) {
  // A request may be under way.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.context().close();
}

async function picture(page, name, isPointerAway = true) {
  if (ONLY !== undefined && ONLY !== name) return;
  const file = path.join(IMAGES, `${name}.png`);
  // With its animations, so that recent changes are highlighted.
  if (isPointerAway) await page.mouse.move(0, 0);
  await page.screenshot({ path: file });
  const { size } = fs.statSync(file);
  console.error(`${path.relative(ROOT, file)}: ${Math.round(size / 1000)} KB`);
  if (size > MAX_BYTES) throw new Error(`${file} is larger than ${MAX_BYTES} bytes.`);
}

async function startToDo() {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const options = ['--headless=new', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0'];
  const profile = `--user-data-dir=${path.join(home, 'profile')}`;
  return start('/usr/bin/chromium', [...options, profile, `http://127.0.0.1:${server.address().port}/to-do`]).pid;
}

async function startDaemon() {
  const env = { ...process.env, HOME: home, SUBSTRATE_SERVER__PORT: '0', SUBSTRATE_PROBE__SETTLE_MS: '0' };
  const { stdout } = spawnSync(process.execPath, [BINARY, 'keygen', '--label', 'pictures', '--json'], { env });
  const { key } = JSON.parse(stdout.toString());
  const daemon = start(process.execPath, [BINARY, 'serve'], { env });
  let said = '';
  daemon.stdout.on('data', (chunk) => {
    said += chunk;
  });
  const base = await until(() => /^substrate listening on (http:\S+)$/m.exec(said)?.[1]);
  return { base, key };
}

function start(file, args, options = {}) {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'ignore'], ...options });
  children.push(child);
  return child;
}

/** A process that still writes would disturb the clean-up. */
async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill();
  await gone;
}

async function until(ask) {
  for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await delay(100)) {
    const answer = await ask();
    if (answer) return answer;
  }
  throw new Error('waited in vain');
}
