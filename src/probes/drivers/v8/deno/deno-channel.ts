/**
 * The channel to the agent inside a Deno process: calls of its methods over the inspector's own connection, which stays
 * open. Deno keeps an ended program waiting for its debugger, so the connection is closed the moment it ends.
 */
import * as z from 'zod';
import { NO_TRACE, type Trace } from '../../../../model/trace.ts';
import type { ProbeChannel, RequestBody } from '../../../support/framed/framed-channel.ts';
import { PendingCalls } from '../../../support/framed/pending-calls.ts';
import { CdpClosed, CdpError, type CdpSession, CdpTimeout } from '../cdp/cdp-session.ts';
import type { AgentRequest } from '../node/agent/protocol.ts';
import { InspectorFetcher } from './inspector-fetcher.ts';
import { PromptSession } from './prompt-session.ts';

const CALL_TIMEOUT_MS = 5000;
/** How long one wait for a message may last; then it is repeated. */
const NEXT_TIMEOUT_MS = 30_000;
const RENEW_MS = 2500;
/** The maximum of a timer: the program may run for ever. */
const NEVER_MS = 2 ** 31 - 1;

const number = z.number();
const agentMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('answers'), number, answers: z.array(z.string()) }),
  z.object({ kind: z.literal('wanted'), number }),
  z.object({ kind: z.literal('functions'), number }),
]);
const called = z.object({
  result: z.object({ value: z.unknown().optional() }),
  exceptionDetails: z.unknown().optional(),
});

export class DenoChannel implements ProbeChannel<AgentRequest> {
  readonly closed: Promise<void>;
  private readonly session: CdpSession;
  private readonly agentId: string;
  private readonly disconnect: () => Promise<void>;
  private readonly fetcher: InspectorFetcher;
  private readonly calls: PendingCalls;
  private readonly trace: Trace;
  /** Requests without an answer, including those that were given up. */
  private readonly open = new Set<number>();
  private readonly lease: NodeJS.Timeout;
  private isPumping = false;
  /** Number of the last message. */
  private received = 0;

  /** `disconnect` undoes the attach as far as possible. */
  constructor(session: CdpSession, agentId: string, disconnect: () => Promise<void>, trace: Trace = NO_TRACE) {
    this.trace = trace;
    this.calls = new PendingCalls(trace);
    this.session = new PromptSession(session);
    this.agentId = agentId;
    this.disconnect = disconnect;
    this.fetcher = new InspectorFetcher(this.session, agentId);
    // The trace has the failed call. Without a renewal the agent closes the inspector by itself.
    this.lease = setInterval(() => void this.callAgent('function(){this.renew()}').catch(() => undefined), RENEW_MS);
    this.lease.unref();
    session.on('Runtime.executionContextDestroyed', () => void this.disconnect());
    void this.waitForEnd();
    this.closed = session.closed.then(() => {
      clearInterval(this.lease);
      this.calls.failAll();
    });
  }

  call(body: RequestBody<AgentRequest>, signal: AbortSignal): Promise<unknown> {
    return this.calls.start(body.op, signal, (id) => {
      this.open.add(id);
      const message = JSON.stringify({ id, ...body });
      this.callAgent('function(text){this.request(text)}', [{ value: message }])
        .then(() => this.pump())
        .catch((error: unknown) => {
          this.open.delete(id);
          this.calls.fail(id, error instanceof Error ? error : new Error(String(error)));
        });
      return message.length;
    });
  }

  async close(): Promise<void> {
    clearInterval(this.lease);
    // The trace has the failed call. The lease of the agent ends it.
    await this.callAgent('function(){this.dispose()}').catch(() => undefined);
    await this.disconnect();
    await this.closed;
  }

  /** Serves the agent's queries and passes its answers on while an answer is missing. */
  private async pump(): Promise<void> {
    if (this.isPumping) return;
    this.isPumping = true;
    try {
      while (this.open.size > 0) await this.serve(await this.nextMessage());
    } catch (error) {
      // This agent is unusable now: all waiting callers get the end of the connection.
      this.trace.ignored('answers of the agent', error);
      await this.disconnect();
    } finally {
      this.isPumping = false;
    }
  }

  private async serve(said: z.infer<typeof agentMessage> | null): Promise<void> {
    if (said?.kind === 'wanted') await this.fetcher.fetchWanted();
    else if (said?.kind === 'functions') await this.fetcher.fetchFunctions();
    else if (said) for (const text of said.answers) this.receive(text);
  }

  /** Null if there is none yet. */
  private async nextMessage(): Promise<z.infer<typeof agentMessage> | null> {
    try {
      const args = [{ value: this.received }];
      const text = await this.callAgent('function(received){return this.next(received)}', args, NEXT_TIMEOUT_MS);
      const said = agentMessage.parse(JSON.parse(z.string().parse(text)));
      this.received = said.number;
      return said;
    } catch (error) {
      if (error instanceof CdpTimeout || isLostPromise(error)) return null;
      throw error;
    }
  }

  /** The promise never settles; the call is answered when the program or the connection ends. */
  private async waitForEnd(): Promise<void> {
    for (;;) {
      try {
        await this.callAgent('function(){return this.ended}', [], NEVER_MS);
      } catch (error) {
        if (!isLostPromise(error)) return this.disconnect();
      }
    }
  }

  private receive(text: string): void {
    this.open.delete(this.calls.receive(JSON.parse(text), text.length));
  }

  private async callAgent(
    functionDeclaration: string,
    args: readonly object[] = [],
    timeoutMs = CALL_TIMEOUT_MS,
  ): Promise<unknown> {
    const awaitPromise = functionDeclaration.includes('return');
    const params = { objectId: this.agentId, functionDeclaration, arguments: args, awaitPromise, returnByValue: true };
    const answer = called.parse(await this.session.send('Runtime.callFunctionOn', params, timeoutMs));
    if (answer.exceptionDetails) throw new CdpClosed('the agent is gone');
    return answer.result.value;
  }
}

/** V8 may lose a promise that it waits for. */
function isLostPromise(error: unknown): boolean {
  return error instanceof CdpError && /collected/.test(error.message);
}
