/** The dashboard in a real browser: pages of it, what went wrong in them, and what a person with a screen reader would meet. */
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** Chromium itself says these, of answers that are no fault of the page: refused keys and requests, a daemon that is not there. */
const EXPECTED = /^(?:Failed to load resource: |WebSocket connection to )/;

export class DashboardBrowser {
  private readonly browser: Browser;
  /** What no run may have: errors of scripts, messages of the console, violations of the policy. */
  readonly faults: string[] = [];

  private constructor(browser: Browser) {
    this.browser = browser;
  }

  static async start(): Promise<DashboardBrowser> {
    const args = ['--disable-gpu', '--disable-quic'];
    return new DashboardBrowser(await chromium.launch({ executablePath: '/usr/bin/chromium', args }));
  }

  /** A page of its own: nothing is shared with the others, no key and no choice of colours. */
  async open(url: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({ viewport: { width: 1600, height: 900 }, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    page.on('pageerror', (error) => this.faults.push(`error: ${error.stack ?? error.message}`));
    page.on('console', (message) => {
      const isFault = message.type() === 'error' || message.type() === 'warning';
      if (isFault && !EXPECTED.test(message.text())) this.faults.push(`console: ${message.text()}`);
    });
    await page.exposeFunction('noteViolation', (what: string) => this.faults.push(`policy: ${what}`));
    await page.addInitScript(`addEventListener('securitypolicyviolation', (event) => {
      noteViolation(event.violatedDirective + ' ' + event.blockedURI);
    })`);
    await page.goto(url);
    return page;
  }

  async close(): Promise<void> {
    await this.browser.close();
  }
}

const CONTRAST = 'color-contrast';
/** What axe is to look for: contrast takes it half of the time. */
const RULES = {
  all: {},
  contrast: { runOnly: [CONTRAST] },
  'all but contrast': { rules: { [CONTRAST]: { enabled: false } } },
} as const;

/** What axe holds to be serious or critical, as text. */
export async function seriousFaults(page: Page, rules: keyof typeof RULES): Promise<string[]> {
  const options = JSON.stringify({ resultTypes: ['violations'], ...RULES[rules] });
  await page.evaluate(`globalThis.axe === undefined && (() => { ${axe.source} })()`);
  return page.evaluate(`axe.run(document, ${options}).then(({ violations }) =>
    violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary).join(' | ')),
  )`);
}

/** How far the page itself can be scrolled to the side. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** What is too small for a finger: less than 24 pixels in one direction. */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('button, a, input, select, textarea, [role=treeitem], [role=option]')]
    // A label is a target, too.
    .filter((element) => element.checkVisibility() && !element.matches('label *'))
    .filter((element) => { const { width, height } = element.getBoundingClientRect(); return width < 24 || height < 24; })
    .map((element) => element.outerHTML.slice(0, 120))`);
}

/** Goes to a view of an app as a link would. */
export async function goTo(page: Page, fragment: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
}
