import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Scalar } from '../../src/model/scalar.ts';
import { createV8Driver } from '../../src/probes/drivers/v8/driver.ts';
import { NotDispatchedError } from '../../src/probes/probe.ts';
import { THIRD_PARTY } from '../pages/third-party.ts';
import { type Chromium, openPage, type Page, startChromium } from '../support/chromium.ts';
import { type PageServer, startPageServer } from '../support/page-server.ts';
import { ProbedApp } from '../support/probed-app.ts';
import { endAll, until } from '../support/real-processes.ts';

interface Expectation {
  readonly name: string;
  readonly holds: Record<string, Scalar>;
  /** The app's own name; without it, a script does what a person would do. */
  readonly action?: string;
  readonly args?: Record<string, unknown>;
  readonly changes: Record<string, Scalar>;
}

/** Third-party apps, as published. */
const EXPECTATIONS: readonly Expectation[] = [
  {
    name: 'swagger-ui',
    holds: {
      'spec.json.info.title': 'Teahouse',
      'layout.layout': 'StandaloneLayout',
      'spec.json.paths["/orders"].get.operationId': 'listOrders',
    },
    action: 'toggle_switch_to_dark_mode',
    changes: { 'components.DarkModeToggle.isDarkMode': true },
  },
  {
    name: 'verdaccio',
    holds: { 'configOptions.title': 'Teahouse registry', 'configOptions.login': true, isDarkMode: false },
    action: 'set_search_packages',
    args: { value: 'tea' },
    changes: { 'fields.search_packages': 'tea' },
  },
  {
    name: 'bundle-analyzer',
    holds: { 'components.sidebarContainer.visible': true },
    action: 'set_main_js_48_kb',
    args: { value: false },
    changes: { 'components.checkboxListContainer.checkedItems.length': 1 },
  },
  {
    name: 'redoc',
    holds: { 'store.sideBarOpened': false, 'page.heading': 'Teahouse (1.4.0)' },
    action: 'store.toggleSidebar',
    changes: { 'store.sideBarOpened': true },
  },
  {
    name: 'todomvc-react16',
    holds: { 'components.App.todos.length': 0, 'components.MainSection.filter': 'SHOW_ALL' },
    changes: { 'components.App.todos.length': 1, 'components.App.todos[0].text': 'Buy milk' },
  },
  {
    name: 'todomvc-backbone',
    holds: { 'app.todos.length': 0 },
    changes: { 'app.todos.length': 1 },
  },
];

/**
 * While a page draws itself, a control may be replaced at the next moment: then nothing is done, and the message says
 * so.
 */
function invokeWhenThere(app: ProbedApp, action: string, args?: Record<string, unknown>) {
  return until(`${action} to be there`, async () => {
    try {
      return await app.invoke(action, args);
    } catch (error) {
      const isYetToCome = error instanceof Error && error.message.startsWith(`no action ${action} `);
      if (!(error instanceof NotDispatchedError) && !isYetToCome) throw error;
      await app.read();
      return null;
    }
  });
}

describe('apps that other people wrote', () => {
  const driver = createV8Driver({ heap_scan: true, heap_scan_max_mb: 256 });
  let server: PageServer;
  let chromium: Chromium;
  let page: Page;

  beforeAll(async () => {
    server = await startPageServer();
    chromium = await startChromium();
  });
  afterEach(() => page.close());
  afterAll(async () => {
    await endAll();
    await server.close();
  });

  it.each(EXPECTATIONS)(
    '$name: finds its state, and sees it change',
    async ({ name, holds, action, args, changes }) => {
      const app = THIRD_PARTY.find((candidate) => candidate.name === name);
      if (!app) throw new Error(`there is no app ${name}`);
      page = await openPage(chromium, `${server.origin}/third/${name}/${app.open ?? ''}`);
      await until(`${name} to be up`, () => page.evaluate<boolean>(`Boolean(${app.ready})`));
      const probed = await ProbedApp.attach(driver, chromium.info);
      // Some apps show a part only after their first drawing.
      await probed
        .until('its state', (state) => Object.entries(holds).every(([key, value]) => state[key] === value))
        .catch(() => null);
      expect(probed.state).toMatchObject(holds);
      if (action) expect(await invokeWhenThere(probed, action, args)).toMatchObject({ ok: true });
      else await page.evaluate(app.action.run);
      await probed
        .until('the change', (state) => Object.keys(changes).every((key) => state[key] === changes[key]))
        .catch(() => null);
      expect(probed.state).toMatchObject(changes);
      await probed.probe.detach();
    },
  );
});
