/** A debugging session with one window of an Electron app, carried by the relay inside its main process. */
import {
  CdpClosed,
  CdpError,
  type CdpListener,
  type CdpResult,
  type CdpSession,
  CdpTimeout,
} from '../cdp/cdp-session.ts';
import { idOf } from '../cdp/foreign.ts';

const DEFAULT_TIMEOUT_MS = 5000;
const PAGE = '';

/** Returns the page's result, or throws its refusal. */
export type RelaySend = (sessionId: string, method: string, params: object, signal: AbortSignal) => Promise<CdpResult>;

/** The sessions of one window: its page, and those of its frames that live in other processes. */
export class WindowSessions {
  readonly page: CdpSession;
  private readonly sessions = new Map<string, Session>();
  private readonly relay: RelaySend;

  constructor(relay: RelaySend) {
    this.relay = relay;
    this.page = this.session(PAGE);
  }

  receive(sessionId: string, method: string, params: CdpResult): void {
    this.sessions.get(sessionId)?.emit(method, params);
    const detached = method === 'Target.detachedFromTarget' ? idOf(params.sessionId) : null;
    if (detached !== null) this.end(detached);
  }

  endAll(): void {
    for (const sessionId of [...this.sessions.keys()]) this.end(sessionId);
  }

  private session(sessionId: string): Session {
    let session = this.sessions.get(sessionId);
    if (!session) {
      session = new Session(
        (method, params, signal) => this.relay(sessionId, method, params, signal),
        (child) => this.session(child),
      );
      this.sessions.set(sessionId, session);
    }
    return session;
  }

  private end(sessionId: string): void {
    this.sessions.get(sessionId)?.end();
    this.sessions.delete(sessionId);
  }
}

class Session implements CdpSession {
  readonly closed: Promise<void>;
  private readonly relay: (method: string, params: object, signal: AbortSignal) => Promise<CdpResult>;
  private readonly childOf: (sessionId: string) => CdpSession;
  private readonly listeners = new Map<string, Set<CdpListener>>();
  private readonly ended = new AbortController();

  constructor(
    relay: (method: string, params: object, signal: AbortSignal) => Promise<CdpResult>,
    childOf: (sessionId: string) => CdpSession,
  ) {
    this.relay = relay;
    this.childOf = childOf;
    this.closed = new Promise((resolve) => this.ended.signal.addEventListener('abort', () => resolve()));
  }

  async send(method: string, params: object = {}, timeoutMs = DEFAULT_TIMEOUT_MS): Promise<CdpResult> {
    if (this.ended.signal.aborted) throw new CdpClosed('the target is gone');
    // One controller for both reasons: combined signals are kept by the one that lives longest.
    const call = new AbortController();
    const onEnd = () => call.abort(new CdpClosed('the target is gone'));
    this.ended.signal.addEventListener('abort', onEnd, { once: true });
    const timer = setTimeout(
      () => call.abort(new CdpTimeout(`${method} got no answer within ${timeoutMs} ms`)),
      timeoutMs,
    );
    try {
      return await this.relay(method, params, call.signal);
    } catch (error) {
      if (error instanceof CdpError && this.ended.signal.aborted) throw new CdpClosed('the target is gone');
      throw error;
    } finally {
      clearTimeout(timer);
      this.ended.signal.removeEventListener('abort', onEnd);
    }
  }

  on(event: string, listener: CdpListener): () => void {
    const listeners = this.listeners.get(event) ?? new Set();
    this.listeners.set(event, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  child(sessionId: string): CdpSession {
    return this.childOf(sessionId);
  }

  emit(event: string, params: CdpResult): void {
    for (const listener of [...(this.listeners.get(event) ?? [])]) listener(params);
  }

  end(): void {
    this.ended.abort();
    this.listeners.clear();
  }
}
