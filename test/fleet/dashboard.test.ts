/** The dashboard of a gateway: the hosts of the fleet, and apps of another one. */
import { expect, it, onTestFinished } from 'vitest';
import { DashboardPage } from '../../src/http/dashboard-page.ts';
import { DashboardBrowser, goTo, seriousFaults } from '../support/dashboard.ts';
import { startInFleet } from '../support/fleet.ts';
import { startNats } from '../support/nats.ts';
import { PID, SUMMARY } from '../unit/http/fake-service.ts';

const V1 = '/substrate/v1';

it('lists the hosts, shows an app of another one, and stays open where a host refuses the key', async () => {
  const nats = await startNats();
  const [host, stranger] = await Promise.all([startInFleet(nats, 'web-3'), startInFleet(nats, 'other')]);
  const gateway = await startInFleet(nats, 'gate', {
    sharedKeys: host.keysFile,
    dashboard: new DashboardPage(['dist/dashboard.html']),
    service: { listApps: () => [] },
  });
  const browser = await DashboardBrowser.start();
  onTestFinished(() => browser.close());
  const { code } = (await gateway.post(`${V1}/dashboard/code`, {})).json() as { code: string };
  const page = await browser.open(`${gateway.url}/#code=${code}`);
  await page.getByRole('link', { name: 'gate' }).click();
  const hosts = page.locator('.hosts-list');
  await hosts.getByRole('link', { name: 'web-3' }).waitFor();
  expect(await hosts.getByRole('link').allTextContents()).toEqual(['gate', 'other', 'web-3']);
  expect(await seriousFaults(page, 'all')).toEqual([]);
  await hosts.getByRole('link', { name: 'web-3' }).click();
  await page.getByRole('navigation', { name: 'Apps' }).getByRole('link', { name: SUMMARY.app_name }).click();
  await page.getByRole('treeitem').filter({ hasText: 'unread' }).waitFor();
  expect(new URL(page.url()).hash).toBe(`#/host/web-3/app/${PID}/state`);
  // Its views are those of the same host, and so is what changes.
  await page.getByRole('link', { name: 'Actions' }).click();
  await page.getByRole('option', { name: 'archive' }).waitFor();
  expect(host.service.watchers.size).toBeGreaterThan(0);
  expect(gateway.service.watchers.size).toBe(0);
  await goTo(page, '#/host/other/');
  await page.getByRole('alert').filter({ hasText: 'The daemon says' }).waitFor();
  await goTo(page, '#/host/nowhere/');
  await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor();
  expect(browser.faults).toEqual([]);
  expect(stranger.log.some(({ status }) => status === 401)).toBe(true);
  expect(JSON.stringify([stranger.log, host.log])).not.toContain('sk_dashboard_');
});
