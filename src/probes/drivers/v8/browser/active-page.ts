/** Finds the page that a person would call the active one: visible, focused, used last. */
import * as z from 'zod';
import { CdpError, CdpTimeout } from '../cdp/cdp-session.ts';
import { WORLD_NAME } from './frame-agents.ts';
import type { PageTarget } from './targets.ts';

const LOOK_TIMEOUT_MS = 1000;
/** How often the other pages are checked while no event reports a change. */
const LOOK_INTERVAL_MS = 4000;
const MAX_ASKED = 60;
/** Attempts per page, whose document may be replaced in between. */
const MAX_LOOKS = 3;
const VISIBLE_AND_FOCUSED = '[document.visibilityState==="visible",document.hasFocus()]';

const mainFrame = z.object({ frameTree: z.object({ frame: z.object({ id: z.string() }) }) });
const world = z.object({ executionContextId: z.number() });
const looked = z.object({ result: z.object({ value: z.tuple([z.boolean(), z.boolean()]) }) });

export interface Look {
  readonly visible: boolean;
  readonly focused: boolean;
}

export class ActivePage {
  private current: string | null = null;
  /** Pages in the order of their use, the latest last. */
  private readonly used = new Set<string>();
  private lookedAt = Number.NEGATIVE_INFINITY;
  private listed = '';

  /** `seen`: the visibility of the current page in its last report. */
  async choose(
    pages: readonly PageTarget[],
    seen: Look | null,
    release: (id: string) => Promise<void>,
  ): Promise<PageTarget | null> {
    const current = pages.find(({ id }) => id === this.current);
    const listed = pages.map(({ id }) => id).join();
    const isNewList = listed !== this.listed;
    this.listed = listed;
    const focused = pages.find((page) => page.focused === true);
    if (focused) return this.use(focused);
    if (pages.length <= 1) return this.use(pages[0] ?? null);
    const isStillActive = seen?.visible === true && seen.focused;
    const isTooSoon = performance.now() - this.lookedAt < LOOK_INTERVAL_MS;
    if (current && !isNewList && (isStillActive || (isTooSoon && seen?.visible !== false))) return current;
    return this.use(await this.look(pages, release));
  }

  /** An action made this page the active one. */
  prefer(id: string): void {
    this.lookedAt = Number.NEGATIVE_INFINITY;
    this.noteUse(id);
    this.current = id;
    this.listed = '';
  }

  private async look(pages: readonly PageTarget[], release: (id: string) => Promise<void>): Promise<PageTarget | null> {
    this.lookedAt = performance.now();
    const open = new Set(pages.map(({ id }) => id));
    for (const id of this.used) if (!open.has(id)) this.used.delete(id);
    const order = [...this.used];
    const ranked = await Promise.all(
      pages.slice(0, MAX_ASKED).map(async (page, at) => {
        const { visible, focused } = await lookAt(page, page.id === this.current);
        return { page, rank: [Number(visible && focused), Number(visible), order.indexOf(page.id), at] };
      }),
    );
    ranked.sort((a, b) => compare(b.rank, a.rank));
    const [best, ...others] = ranked.map(({ page }) => page);
    // A debugged page is never put to sleep, so pages that nobody looks at are released.
    for (const { id } of others) if (id !== this.current) void release(id);
    return best ?? null;
  }

  private use(page: PageTarget | null): PageTarget | null {
    this.current = page?.id ?? null;
    if (page) this.noteUse(page.id);
    return page;
  }

  private noteUse(id: string): void {
    this.used.delete(id);
    this.used.add(id);
  }
}

/** A page that does not answer counts as hidden, unless it was active a moment ago. */
async function lookAt(page: PageTarget, wasActive: boolean): Promise<Look> {
  for (let look = 1; ; look++) {
    try {
      return await askPage(page);
    } catch (error) {
      // Another document may have replaced it meanwhile, and that one can answer.
      if (error instanceof CdpError && look < MAX_LOOKS) continue;
      return { visible: wasActive && error instanceof CdpTimeout, focused: false };
    }
  }
}

async function askPage(page: PageTarget): Promise<Look> {
  const session = await page.attach();
  const ask = (method: string, params: object) => session.send(method, params, LOOK_TIMEOUT_MS);
  const { frameTree } = mainFrame.parse(await ask('Page.getFrameTree', {}));
  // In an isolated world: code that a page puts on its document must neither run nor decide.
  const isolated = { frameId: frameTree.frame.id, worldName: WORLD_NAME };
  const { executionContextId: contextId } = world.parse(await ask('Page.createIsolatedWorld', isolated));
  const params = { expression: VISIBLE_AND_FOCUSED, contextId, returnByValue: true, silent: true };
  const answer = looked.parse(await ask('Runtime.evaluate', params));
  const [visible, focused] = answer.result.value;
  return { visible, focused };
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [at, value] of a.entries()) {
    const difference = value - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
