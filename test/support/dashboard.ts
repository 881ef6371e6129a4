/** The dashboard in a real browser: its pages, their errors, and accessibility. */
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/**
 * Messages of Chromium itself about answers that are no fault of the page: refused keys and requests, an absent daemon.
 */
const EXPECTED = /^(?:Failed to load resource: |WebSocket connection to )/;

export class DashboardBrowser {
  private readonly browser: Browser;
  /** Must stay empty: errors of scripts, messages of the console, violations of the policy. */
  readonly faults: string[] = [];

  private constructor(browser: Browser) {
    this.browser = browser;
  }

  static async start(): Promise<DashboardBrowser> {
    const args = ['--disable-gpu', '--disable-quic'];
    return new DashboardBrowser(await chromium.launch({ executablePath: '/usr/bin/chromium', args }));
  }

  /** A separate page: nothing is shared with the others, neither a key nor a theme. */
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
/** The rules of axe: contrast takes half of its time. */
const RULES = {
  all: {},
  contrast: { runOnly: [CONTRAST] },
  'all but contrast': { rules: { [CONTRAST]: { enabled: false } } },
} as const;

/** Serious and critical violations according to axe, as text. */
export async function seriousFaults(page: Page, rules: keyof typeof RULES): Promise<string[]> {
  const options = JSON.stringify({ resultTypes: ['violations'], ...RULES[rules] });
  await page.evaluate(`globalThis.axe === undefined && (() => { ${axe.source} })()`);
  return page.evaluate(`axe.run(document, ${options}).then(({ violations }) =>
    violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary).join(' | ')),
  )`);
}

/** How far the page itself can be scrolled sideways. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

/** Elements too small for a finger: less than 24 pixels in one direction. */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('button, a, input, select, textarea, [role=treeitem], [role=option]')]
    // A label is a target, too.
    .filter((element) => element.checkVisibility() && !element.matches('label *'))
    .filter((element) => { const { width, height } = element.getBoundingClientRect(); return width < 24 || height < 24; })
    .map((element) => element.outerHTML.slice(0, 120))`);
}

/** Navigates to a view of an app like a link. */
export async function goTo(page: Page, fragment: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
}
