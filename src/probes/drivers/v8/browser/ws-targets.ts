/** The pages of a browser that listens on a debugging port: one connection, flat sessions. */
import * as z from 'zod';
import type { CdpConnection } from '../cdp/cdp-connection.ts';
import type { CdpResult, CdpSession } from '../cdp/cdp-session.ts';
import { idOf, neededId } from '../cdp/foreign.ts';
import type { BrowserTargets, PageTarget } from './targets.ts';

const MAX_TITLE = 4096;
/** Addresses of pages may be whole documents. */
const MAX_ADDRESS = 65_536;
const MAX_PAGES = 1000;
const targetInfo = z.object({
  targetId: z.string(),
  type: z.string(),
  title: z.string().transform((title) => title.slice(0, MAX_TITLE)),
  url: z.string().transform((url) => url.slice(0, MAX_ADDRESS)),
});
type TargetInfo = z.infer<typeof targetInfo>;

const DETACH_TIMEOUT_MS = 1000;
/** Tools around a page do not count: developer tools, the browser's own surfaces. */
const PAGE_TYPES = new Set(['page']);
const TOOL_ADDRESS = /^(?:devtools|chrome-untrusted):/;

export class WsTargets implements BrowserTargets {
  readonly closed: Promise<void>;
  private readonly connection: CdpConnection;
  private readonly infos = new Map<string, TargetInfo>();
  private readonly sessions = new Map<string, Promise<AttachedSession>>();
  private readonly listeners = new Set<() => void>();

  static async open(connection: CdpConnection): Promise<WsTargets> {
    const targets = new WsTargets(connection);
    // The browser reports every existing page, and each change from now on.
    await connection.send('Target.setDiscoverTargets', { discover: true });
    return targets;
  }

  private constructor(connection: CdpConnection) {
    this.connection = connection;
    this.closed = connection.closed;
    const note = (params: CdpResult) => {
      const { data } = targetInfo.safeParse(params.targetInfo);
      const id = idOf(data?.targetId);
      if (!data || id === null) return;
      if (isPage(data) && (this.infos.size < MAX_PAGES || this.infos.has(id))) this.infos.set(id, data);
      else this.infos.delete(id);
      this.notify();
    };
    connection.on('Target.targetCreated', note);
    connection.on('Target.targetInfoChanged', note);
    connection.on('Target.targetDestroyed', ({ targetId }) => {
      const id = idOf(targetId);
      if (id === null) return;
      this.infos.delete(id);
      this.sessions.delete(id);
      this.notify();
    });
  }

  async list(): Promise<readonly PageTarget[]> {
    return [...this.infos.values()].map(({ targetId, type, title, url }) => ({
      id: targetId,
      type,
      title,
      url,
      focused: null,
      attach: () => this.attach(targetId),
    }));
  }

  async activate(id: string): Promise<void> {
    await this.connection.send('Target.activateTarget', { targetId: id });
  }

  async open(url: string): Promise<string> {
    const { targetId } = await this.connection.send('Target.createTarget', { url });
    return neededId(targetId);
  }

  async close(id: string): Promise<void> {
    await this.connection.send('Target.closeTarget', { targetId: id });
  }

  async release(id: string): Promise<void> {
    const session = this.sessions.get(id);
    this.sessions.delete(id);
    // The trace has the failed call. The tab and its session are gone.
    await session?.then((attached) => this.detach(attached)).catch(() => undefined);
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async dispose(): Promise<void> {
    await Promise.allSettled([...this.sessions.values()].map(async (session) => this.detach(await session)));
    await this.connection.close();
  }

  private async detach({ id }: AttachedSession): Promise<void> {
    await this.connection.send('Target.detachFromTarget', { sessionId: id }, DETACH_TIMEOUT_MS);
  }

  private async attach(targetId: string): Promise<CdpSession> {
    let session = this.sessions.get(targetId);
    if (!session) {
      session = this.openSession(targetId);
      this.sessions.set(targetId, session);
      session.then(
        (attached) => attached.session.closed.then(() => this.sessions.delete(targetId)),
        // The caller of the session gets the error.
        () => this.sessions.delete(targetId),
      );
    }
    return (await session).session;
  }

  private async openSession(targetId: string): Promise<AttachedSession> {
    const { sessionId } = await this.connection.send('Target.attachToTarget', { targetId, flatten: true });
    const id = neededId(sessionId);
    return { id, session: this.connection.child(id) };
  }

  private notify(): void {
    for (const listener of [...this.listeners]) listener();
  }
}

interface AttachedSession {
  readonly id: string;
  readonly session: CdpSession;
}

function isPage({ type, url }: TargetInfo): boolean {
  return PAGE_TYPES.has(type) && !TOOL_ADDRESS.test(url);
}
