/** One debugging session with one target (a page, a frame, the browser itself), independent of the transport. */

/** The target refused the call; the message is the protocol's own. */
export class CdpError extends Error {
  override readonly name = 'CdpError';
}

/** No answer in time: the target is busy, or a dialog blocks it. */
export class CdpTimeout extends Error {
  override readonly name = 'CdpTimeout';
}

/** The target or the connection is gone. */
export class CdpClosed extends Error {
  override readonly name = 'CdpClosed';
}

export type CdpResult = Readonly<Record<string, unknown>>;
export type CdpListener = (params: CdpResult) => void;

export interface CdpSession {
  /** The result is foreign input: parse it. Every call has a time limit. */
  send(method: string, params?: object, timeoutMs?: number): Promise<CdpResult>;
  /** Returns a function that unsubscribes. */
  on(event: string, listener: CdpListener): () => void;
  /** The session of a target that `Target.attachedToTarget` announced. */
  child(sessionId: string): CdpSession;
  readonly closed: Promise<void>;
}
