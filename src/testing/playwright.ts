/**
 * `substrated/test/playwright`: Playwright's `test` and `expect`, with the server behind the page and the page itself as
 * apps.
 */
import { type Browser, expect as baseExpect, test as baseTest } from '@playwright/test';
import { type AppHandle, type ConnectOptions, connect, matchers, type Which } from './index.ts';

export * from './index.ts';

export interface SubstrateFixtures {
  /** Address and key of the daemon. In the config: `use: { substrate: { key: … } }`. */
  substrate: ConnectOptions;
  /** The app of `server`, if it is not the one that listens on the port of `baseURL`. */
  serverApp: Which | undefined;
  /** The app that serves the pages. */
  server: AppHandle;
  /** The browser that shows `page`: its state is that of the page. */
  pageApp: AppHandle;
}

const DEBUGGING_PORT = '--remote-debugging-port';

export const test = baseTest.extend<SubstrateFixtures>({
  substrate: [{}, { option: true }],
  serverApp: [undefined, { option: true }],
  // The daemon reads a browser through a debugging port, which Playwright itself does not need.
  launchOptions: [
    async ({ launchOptions, browserName }, use) => {
      const { args = [] } = launchOptions;
      const hasPort = browserName !== 'chromium' || args.some((argument) => argument.startsWith(DEBUGGING_PORT));
      await use(hasPort ? launchOptions : { ...launchOptions, args: [...args, `${DEBUGGING_PORT}=0`] });
    },
    { scope: 'worker' },
  ],
  server: async ({ baseURL, serverApp, substrate }, use) => {
    await use(await connect(serverApp ?? { port: portOf(baseURL) }, substrate));
  },
  pageApp: async ({ page, browser, browserName, substrate }, use) => {
    if (browserName !== 'chromium') throw new Error(`The state of pages is read in Chromium, not in ${browserName}.`);
    // The daemon reads the page in front.
    await page.bringToFront();
    await use(await connect(await pidOf(browser), substrate));
  },
});

export const expect = baseExpect.extend(matchers);

function portOf(baseURL: string | undefined): number {
  if (baseURL === undefined)
    throw new Error('Which app is the server? Set use.baseURL, or use.serverApp to its pid or name.');
  const { port, protocol } = new URL(baseURL);
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

async function pidOf(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  try {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    const main = processInfo.find(({ type }) => type === 'browser');
    if (main === undefined) throw new Error('The browser does not say which process it is.');
    return main.id;
  } finally {
    await session.detach();
  }
}
