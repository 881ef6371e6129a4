import { FLATTEN } from '../browser-tab.ts';
import { importPeer } from './load.ts';
import { type OpenPeer, PUPPETEER_JSON } from './peer.ts';

/** The used part of the package's types: it is not installed when the types are checked. */
interface PuppeteerPage {
  url(): string;
  evaluate(expression: string): Promise<unknown>;
}
interface PuppeteerBrowser {
  pages(): Promise<PuppeteerPage[]>;
  disconnect(): Promise<void>;
}
interface PuppeteerModule {
  default: {
    connect(options: { browserURL: string; defaultViewport: null; protocolTimeout: number }): Promise<PuppeteerBrowser>;
  };
}

export const openPuppeteer: OpenPeer = async ({ debugPort }, url) => {
  const { default: puppeteer } = (await importPeer('puppeteer-core')) as PuppeteerModule;
  const browser = await puppeteer.connect({
    browserURL: `http://127.0.0.1:${debugPort}`,
    // Otherwise it would resize the page.
    defaultViewport: null,
    protocolTimeout: 120_000,
  });
  const page = (await browser.pages()).find((candidate) => candidate.url() === url);
  if (!page) throw new Error('puppeteer does not see the page');
  return {
    reads: [
      {
        name: PUPPETEER_JSON,
        run: async () => {
          const text = await page.evaluate(`JSON.stringify(${FLATTEN})`);
          return Object.keys(JSON.parse(String(text)) as object).length;
        },
      },
      {
        name: 'puppeteer evaluate, object',
        run: async () => Object.keys((await page.evaluate(FLATTEN)) as object).length,
      },
    ],
    close: () => browser.disconnect(),
  };
};
