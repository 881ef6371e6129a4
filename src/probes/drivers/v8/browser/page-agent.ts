/** One agent inside one document, held only by its object id: it ends with the document. */
import * as z from 'zod';
import { CdpError, type CdpResult, type CdpSession } from '../cdp/cdp-session.ts';

/** The document of the agent is gone: another one needs an agent of its own. */
export class DocumentGone extends Error {
  override readonly name = 'DocumentGone';
  /** It went during the call, which may have had an effect. */
  readonly wasCalled: boolean;
  constructor(message: string) {
    super(message);
    this.wasCalled = /navigated|destroyed|collected/i.test(message);
  }
}

const GONE =
  /Cannot find (?:default execution )?context|Could not find object|Inspected target navigated|context was destroyed|Promise was collected|No frame|Session with given id|Cannot find context|uniqueContextId not found/i;
const OBJECT_GROUP = 'substrate';
const INJECT_TIMEOUT_MS = 5000;
const DISPOSE_TIMEOUT_MS = 1000;
/** A call may wait as long as the page is busy; its caller gives up earlier, by its own clock. */
const CALL_TIMEOUT_MS = 120_000;
const MAX_REASON = 300;

const answer = z.object({
  result: z.object({
    type: z.string(),
    subtype: z.string().optional(),
    value: z.unknown().optional(),
    objectId: z.string().optional(),
  }),
  exceptionDetails: z
    .object({ text: z.string(), exception: z.object({ description: z.string().optional() }).optional() })
    .optional(),
});

/** A value passed as JSON, or an object that stays in the page. */
export type Argument = { readonly value: unknown } | { readonly objectId: string };

let lastNumber = 0;

export class PageAgent {
  readonly session: CdpSession;
  readonly objectId: string;
  private readonly number: number;
  private change: Promise<void> | null = null;

  /** Null if the agent cannot work in this document. */
  static async create(session: CdpSession, expression: string, contextId: number | null): Promise<PageAgent | null> {
    const params = {
      expression,
      objectGroup: OBJECT_GROUP,
      silent: true,
      timeout: INJECT_TIMEOUT_MS,
      ...(contextId === null ? {} : { contextId }),
    };
    const { objectId } = await ask(session, 'Runtime.evaluate', params, CALL_TIMEOUT_MS);
    return objectId === undefined ? null : new PageAgent(session, objectId);
  }

  private constructor(session: CdpSession, objectId: string) {
    this.session = session;
    this.objectId = objectId;
    this.number = ++lastNumber;
  }

  /** A name for objects that are released together; no other agent uses it. */
  groupOf(purpose: string): string {
    return `${OBJECT_GROUP}-${purpose}-${this.number}`;
  }

  /** Sends a call about the agent's document. */
  send(method: string, params: object, timeoutMs?: number): Promise<CdpResult> {
    return send(this.session, method, params, timeoutMs);
  }

  /** Returns the result of the method, or of its promise. */
  async call(method: string, ...args: Argument[]): Promise<unknown> {
    const { value } = await ask(
      this.session,
      'Runtime.callFunctionOn',
      this.params(method, args, true),
      CALL_TIMEOUT_MS,
    );
    return value;
  }

  /** Like `call`, for methods that return an object of the page: its id, which lives as long as its group. */
  async callForObject(method: string, objectGroup: string): Promise<string | null> {
    const params = { ...this.params(method, [], false), objectGroup };
    const { objectId } = await ask(this.session, 'Runtime.callFunctionOn', params, CALL_TIMEOUT_MS);
    return objectId ?? null;
  }

  /** Resolves after the next change; the page gets one call, however many wait. */
  changed(): Promise<void> {
    this.change ??= this.call('changed')
      .then(() => undefined)
      .finally(() => {
        this.change = null;
      });
    return this.change;
  }

  /** Undoes the agent's changes to the page; the object itself goes with its id. */
  async dispose(): Promise<void> {
    await ask(this.session, 'Runtime.callFunctionOn', this.params('dispose', [], true), DISPOSE_TIMEOUT_MS).catch(
      // The trace has the failed call. The document and the agent are gone.
      () => undefined,
    );
    await this.session
      .send('Runtime.releaseObject', { objectId: this.objectId }, DISPOSE_TIMEOUT_MS)
      // The trace has the failed call.
      .catch(() => undefined);
  }

  private params(method: string, args: readonly Argument[], byValue: boolean): object {
    return {
      objectId: this.objectId,
      functionDeclaration: `function(...args){return this.${method}(...args)}`,
      arguments: args,
      returnByValue: byValue,
      awaitPromise: byValue,
      objectGroup: OBJECT_GROUP,
      silent: true,
    };
  }
}

/** Distinguishes a document that is gone from a failure inside it. */
async function send(session: CdpSession, method: string, params: object, timeoutMs?: number): Promise<CdpResult> {
  try {
    return await session.send(method, params, timeoutMs);
  } catch (error) {
    if (error instanceof CdpError && GONE.test(error.message)) throw new DocumentGone(error.message);
    throw error;
  }
}

/** An evaluate or a call. */
async function ask(session: CdpSession, method: string, params: object, timeoutMs: number) {
  const result = answer.parse(await send(session, method, params, timeoutMs));
  if (result.exceptionDetails) {
    const { text, exception } = result.exceptionDetails;
    throw new Error(`the agent in the page failed: ${(exception?.description ?? text).slice(0, MAX_REASON)}`);
  }
  return result.result;
}
