import { FLATTEN } from '../browser-tab.ts';
import { importPeer } from './load.ts';
import type { OpenPeer } from './peer.ts';

/** The used part of the package's types: it is not installed when the types are checked. */
interface PlaywrightPage {
  url(): string;
  evaluate(expression: string): Promise<unknown>;
  locator(selector: string): { ariaSnapshot(options: { timeout: number }): Promise<string> };
}
interface PlaywrightBrowser {
  contexts(): { pages(): PlaywrightPage[] }[];
  close(): Promise<void>;
}
interface PlaywrightModule {
  default: { chromium: { connectOverCDP(endpoint: string): Promise<PlaywrightBrowser> } };
}

export const openPlaywright: OpenPeer = async ({ debugPort }, url) => {
  const { default: playwright } = (await importPeer('playwright-core')) as PlaywrightModule;
  const browser = await playwright.chromium.connectOverCDP(`http://127.0.0.1:${debugPort}`);
  const pages = browser.contexts().flatMap((context) => context.pages());
  const page = pages.find((candidate) => candidate.url() === url);
  if (!page) throw new Error('Playwright does not see the page');
  return {
    reads: [
      {
        name: 'Playwright evaluate, JSON text',
        run: async () => {
          const text = await page.evaluate(`JSON.stringify(${FLATTEN})`);
          return Object.keys(JSON.parse(String(text)) as object).length;
        },
      },
      {
        name: 'Playwright evaluate, object',
        run: async () => Object.keys((await page.evaluate(FLATTEN)) as object).length,
      },
      {
        name: 'Playwright ariaSnapshot',
        run: async () => (await page.locator('body').ariaSnapshot({ timeout: 120_000 })).length,
      },
    ],
    // For a browser that it did not start, this only ends the connection.
    close: () => browser.close(),
  };
};
