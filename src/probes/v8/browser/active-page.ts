/** Which page a person would call the active one: visible, with the focus, used last. */
import { z } from 'zod';
import { CdpTimeout } from '../cdp/cdp-session.ts';
import type { PageTarget } from './targets.ts';

const LOOK_TIMEOUT_MS = 1000;
/** How often the other pages are asked while nothing tells of a change. */
const LOOK_INTERVAL_MS = 4000;
const MAX_ASKED = 60;
const VISIBLE_AND_FOCUSED = '[document.visibilityState==="visible",document.hasFocus()]';

const looked = z.object({ result: z.object({ value: z.tuple([z.boolean(), z.boolean()]) }) });

export interface Look {
  readonly visible: boolean;
  readonly focused: boolean;
}

export class ActivePage {
  private current: string | null = null;
  /** Pages in the order in which they were active, the last one last. */
  private readonly used = new Set<string>();
  private lookedAt = Number.NEGATIVE_INFINITY;
  private listed = '';

  /** `seen`: what the current page said of itself at its last report. */
  async choose(pages: readonly PageTarget[], seen: Look | null): Promise<PageTarget | null> {
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
    return this.use(await this.look(pages));
  }

  /** An action made this page the active one. */
  prefer(id: string): void {
    this.lookedAt = Number.NEGATIVE_INFINITY;
    this.noteUse(id);
    this.current = id;
    this.listed = '';
  }

  private async look(pages: readonly PageTarget[]): Promise<PageTarget | null> {
    this.lookedAt = performance.now();
    const order = [...this.used];
    const ranked = await Promise.all(
      pages.slice(0, MAX_ASKED).map(async (page, at) => {
        const { visible, focused } = await lookAt(page, page.id === this.current);
        return { page, rank: [Number(visible && focused), Number(visible), order.indexOf(page.id), at] };
      }),
    );
    ranked.sort((a, b) => compare(b.rank, a.rank));
    return ranked[0]?.page ?? null;
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

/** A page that does not answer is taken for one that nobody looks at, unless somebody did a moment ago. */
async function lookAt(page: PageTarget, wasActive: boolean): Promise<Look> {
  try {
    const session = await page.attach();
    const params = { expression: VISIBLE_AND_FOCUSED, returnByValue: true, silent: true };
    const answer = looked.parse(await session.send('Runtime.evaluate', params, LOOK_TIMEOUT_MS));
    const [visible, focused] = answer.result.value;
    return { visible, focused };
  } catch (error) {
    return { visible: wasActive && error instanceof CdpTimeout, focused: false };
  }
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [at, value] of a.entries()) {
    const difference = value - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
