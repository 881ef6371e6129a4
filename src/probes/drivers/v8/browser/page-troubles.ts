/**
 * Failures in a page: failed requests, and the reason for an empty page. The browser reports failed requests without
 * involving the page. The console is read only if a page shows nothing: that replays everything written to it, and may
 * touch objects in it.
 */
import * as z from 'zod';
import type { CdpSession } from '../cdp/cdp-session.ts';
import type { PageTroubles as TroubleReport } from '../page/protocol.ts';

const MAX_TEXT = 300;
const MAX_COUNTED = 10_000;
const ASK_MS = 3000;

const logged = z.object({
  entry: z.object({ source: z.string(), level: z.string(), text: z.string(), url: z.string().optional() }),
});
const frame = z.object({ parentId: z.string().optional(), unreachableUrl: z.string().optional() });
const navigated = z.object({ frame });
const tree = z.object({ frameTree: z.object({ frame }) });
const evaluated = z.object({ result: z.object({ value: z.string() }) });
const thrown = z.object({
  exceptionDetails: z.object({
    text: z.string(),
    exception: z.object({ description: z.string().optional() }).optional(),
  }),
});
const written = z.object({
  type: z.string(),
  args: z.array(z.object({ value: z.unknown().optional(), description: z.string().optional() })),
});

interface Counted {
  readonly count: number;
  readonly first: string;
}

const NONE: Counted = { count: 0, first: '' };

export class PageTroubles {
  private readonly session: CdpSession;
  private readonly onNews: () => void;
  private requests = NONE;
  private errors = NONE;
  private hasAsked = false;
  private unreachable: string | null = null;

  constructor(session: CdpSession, onNews: () => void) {
    this.session = session;
    this.onNews = onNews;
    session.on('Log.entryAdded', (params) => {
      const { data } = logged.safeParse(params);
      if (data?.entry.source === 'network' && data.entry.level === 'error') this.takeRequest(data.entry);
    });
    session.on('Page.frameNavigated', (params) => {
      const { data } = navigated.safeParse(params);
      if (data && data.frame.parentId === undefined) this.begin(data.frame.unreachableUrl ?? null);
    });
  }

  /** The browser repeats the failures since the document began to load. */
  async start(): Promise<void> {
    const { data } = tree.safeParse(await this.session.send('Page.getFrameTree'));
    this.unreachable = data?.frameTree.frame.unreachableUrl ?? null;
    // An embedder may have no log; then no request is reported.
    await this.session.send('Log.enable').catch(() => undefined);
  }

  /** Why the browser shows its own page in place of the requested one, or null. */
  async whyUnreachable(): Promise<string | null> {
    if (this.unreachable === null) return null;
    const params = { expression: 'document.body.innerText', returnByValue: true };
    // The code is the same in all languages.
    const answer = await this.session.send('Runtime.evaluate', params, ASK_MS).catch(() => null);
    const [code = 'it did not load'] = /\bERR_[A-Z_]+/.exec(evaluated.safeParse(answer).data?.result.value ?? '') ?? [];
    return `${addressOf(this.unreachable)}: ${code}`;
  }

  /** Null without known failures. */
  get report(): TroubleReport | null {
    const { requests, errors } = this;
    if (requests.count === 0 && errors.count === 0) return null;
    return {
      ...(requests.count === 0 ? {} : { failed_requests: requests.count, failed_request: requests.first }),
      ...(errors.count === 0 ? {} : { errors: errors.count, error: errors.first }),
    };
  }

  /** Call it for a page that shows nothing; works once per document. */
  async askConsole(): Promise<void> {
    if (this.hasAsked) return;
    this.hasAsked = true;
    const stops = [
      this.session.on('Runtime.exceptionThrown', (params) => {
        const { data } = thrown.safeParse(params);
        if (data) this.takeError(data.exceptionDetails.exception?.description ?? data.exceptionDetails.text);
      }),
      this.session.on('Runtime.consoleAPICalled', (params) => {
        const { data } = written.safeParse(params);
        if (data?.type === 'error') this.takeError(data.args.map(textOf).join(' '));
      }),
    ];
    // The page may be gone by then: the reason stays unknown.
    await this.session.send('Runtime.enable', {}, ASK_MS).catch(() => undefined);
    for (const stop of stops) stop();
    // The same; it ends with the session.
    await this.session.send('Runtime.disable', {}, ASK_MS).catch(() => undefined);
  }

  private begin(unreachable: string | null): void {
    this.unreachable = unreachable;
    this.requests = NONE;
    this.errors = NONE;
    this.hasAsked = false;
  }

  private takeRequest({ text, url = '' }: z.infer<typeof logged>['entry']): void {
    // Every browser requests it, and few sites have it.
    if (/\/favicon\.ico$/.test(url)) return;
    const [why = text] = /\b\d{3}\b(?: \([^)]*\))?|net::\w+/.exec(text) ?? [];
    this.requests = counted(this.requests, `${why} ${addressOf(url)}`);
    this.onNews();
  }

  private takeError(text: string): void {
    this.errors = counted(this.errors, text.split('\n')[0] ?? '');
  }
}

function counted({ count, first }: Counted, text: string): Counted {
  return { count: Math.min(count + 1, MAX_COUNTED), first: count === 0 ? text.slice(0, MAX_TEXT) : first };
}

/** Without the query, which may contain anything. */
function addressOf(url: string): string {
  if (!URL.canParse(url)) return '';
  const { origin, pathname } = new URL(url);
  return origin === 'null' ? '' : `${origin}${pathname}`;
}

function textOf({ value, description }: z.infer<typeof written>['args'][number]): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : (description?.split('\n')[0] ?? '');
}
