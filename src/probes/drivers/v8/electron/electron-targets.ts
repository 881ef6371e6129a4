/** The windows of an Electron app, reached through its main process: no debugging port, no flag. */
import * as z from 'zod';
import { NotDispatchedError } from '../../../probe.ts';
import type { FramedChannel } from '../../../support/framed/framed-channel.ts';
import type { BrowserTargets, PageTarget } from '../browser/targets.ts';
import { CdpClosed, CdpError, type CdpResult, type CdpSession } from '../cdp/cdp-session.ts';
import type { AgentRequest } from '../node/agent/protocol.ts';
import type { RelayRequest } from './agent/relay-protocol.ts';
import { WindowSessions } from './relay-session.ts';

const CALL_TIMEOUT_MS = 5000;

const relayTarget = z.object({
  id: z.number().int(),
  type: z.string(),
  title: z.string(),
  url: z.string(),
  focused: z.boolean(),
});
const refusal = z.object({ refused: z.string() });
const done = z.null();
const sent = z.object({ result: z.record(z.string(), z.unknown()).catch({}) });
const push = z.discriminatedUnion('op', [
  z.object({
    op: z.literal('cdp.event'),
    target: z.number(),
    sessionId: z.string(),
    method: z.string(),
    params: z.record(z.string(), z.unknown()).catch({}),
  }),
  z.object({ op: z.literal('cdp.detached'), target: z.number(), reason: z.string() }),
  z.object({ op: z.literal('cdp.changed') }),
]);

export class ElectronTargets implements BrowserTargets {
  readonly closed: Promise<void>;
  private readonly channel: FramedChannel<AgentRequest>;
  private readonly windows = new Map<number, WindowSessions>();
  private readonly attaching = new Map<number, Promise<CdpSession>>();
  private readonly listeners = new Set<() => void>();

  /** `channel`: to an agent that was injected with the relay. */
  constructor(channel: FramedChannel<AgentRequest>) {
    this.channel = channel;
    channel.onPush((message) => this.receive(message));
    this.closed = channel.closed.then(() => {
      for (const window of this.windows.values()) window.endAll();
      this.windows.clear();
    });
  }

  async list(): Promise<readonly PageTarget[]> {
    const answer = await this.call({ op: 'cdp.list' }, AbortSignal.timeout(CALL_TIMEOUT_MS));
    return z
      .array(relayTarget)
      .parse(answer)
      .map(({ id, ...target }) => ({ ...target, id: String(id), attach: () => this.attach(id) }));
  }

  async activate(id: string): Promise<void> {
    await this.order({ op: 'cdp.activate', target: Number(id) });
  }

  async open(_url: string): Promise<string> {
    throw new NotDispatchedError(
      'An Electron app decides itself which windows it opens: use an action of the app, or navigate one of its windows.',
    );
  }

  async close(id: string): Promise<void> {
    await this.order({ op: 'cdp.close', target: Number(id) });
  }

  async release(id: string): Promise<void> {
    if (!this.windows.has(Number(id))) return;
    this.end(Number(id));
    // The trace has the failed call. The window and its session are gone.
    await this.order({ op: 'cdp.detach', target: Number(id) }).catch(() => undefined);
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Ends the connection to the main process: the relay notices it and releases every window. */
  dispose(): Promise<void> {
    return this.channel.close();
  }

  private attach(id: number): Promise<CdpSession> {
    const known = this.windows.get(id);
    if (known) return Promise.resolve(known.page);
    let attaching = this.attaching.get(id);
    if (!attaching) {
      attaching = this.openSession(id).finally(() => this.attaching.delete(id));
      this.attaching.set(id, attaching);
    }
    return attaching;
  }

  private async openSession(id: number): Promise<CdpSession> {
    // Before the answer, because the page's first events may come with it.
    const window = new WindowSessions((sessionId, method, params, signal) =>
      this.send({ op: 'cdp.send', target: id, sessionId, method, params }, signal),
    );
    this.windows.set(id, window);
    try {
      await this.order({ op: 'cdp.attach', target: id });
      return window.page;
    } catch (error) {
      this.end(id);
      throw error;
    }
  }

  private end(id: number): void {
    this.windows.get(id)?.endAll();
    this.windows.delete(id);
  }

  private async send(request: RelayRequest, signal: AbortSignal): Promise<CdpResult> {
    return sent.parse(await this.call(request, signal)).result;
  }

  private async order(request: RelayRequest): Promise<void> {
    done.parse(await this.call(request, AbortSignal.timeout(CALL_TIMEOUT_MS)));
  }

  private async call(request: RelayRequest, signal: AbortSignal): Promise<unknown> {
    const answer = await this.channel.call({ op: 'extension', request }, signal).catch((error: unknown) => {
      throw this.channel.isOpen ? error : new CdpClosed('the connection to the app was lost');
    });
    const refused = refusal.safeParse(answer).data;
    if (refused) throw new CdpError(refused.refused);
    return answer;
  }

  private receive(message: unknown): void {
    const { data } = push.safeParse(message);
    if (data?.op === 'cdp.event') this.windows.get(data.target)?.receive(data.sessionId, data.method, data.params);
    else if (data?.op === 'cdp.detached') this.end(data.target);
    else if (data?.op === 'cdp.changed') for (const listener of [...this.listeners]) listener();
  }
}
