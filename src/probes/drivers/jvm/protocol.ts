/**
 * The messages between the daemon and the agent inside a Java program, version 1. The same list is in
 * agent/java/substrate/agent/Protocol.java; the results are in ../injected/agent-protocol.ts.
 *
 * Frames, both ways:
 *
 *   u32 little endian: length of the text in bytes | UTF-8 JSON text
 *
 * A frame of more than 128 MiB is no frame of this protocol: the connection is closed. Requests are `{id, op, …}`, answers
 * `{id, result}` or `{id, error: text}`, in any order: an `invoke` may run while captures go on.
 *
 *   hello    {protocol, maxKeys, budget, jmx, swing} -> HelloResult; the first request of a connection
 *   rules    WalkRules                               -> {}: see probes/insight/walk-rules.ts; the second request
 *   capture  {full, deep, reservedKeys}              -> CaptureResult
 *   methods  {sequence, methods, bodies, members, contracts} -> MethodsAnswer, see probes/insight/methods/method-facts.ts
 *   invoke   {binding, args, timeoutMs, call?, roots} -> InvokeResult
 *   use      {operation, widget, called, words, args, timeoutMs} -> InvokeResult
 *   dispose  {}                                      -> no answer: the agent removes itself, with its files
 *
 * The agent serves one connection at a time. When it ends without `dispose` the agent waits for another daemon, and
 * removes itself when none has come for five minutes.
 */

import * as z from 'zod';
import type { ProbeBudget } from '../../../model/budget.ts';
import { healthFields } from '../../../model/health.ts';
import type { AgentRequest } from '../../support/injected/agent-protocol.ts';

export const PROTOCOL_VERSION = 1;

export type JvmRequest =
  | AgentRequest
  | { id: number; op: 'hello'; protocol: number; maxKeys: number; budget: ProbeBudget; jmx: boolean; swing: boolean };

export const helloResult = z.object({
  protocol: z.number().int(),
  /** Hash of the agent's files: an agent of another build is replaced. */
  build: z.string().max(100),
  /** `java.version` of the target. */
  java: z.string().max(100),
  /** The class that the program was started with; null if not known. */
  main: z.string().max(2000).nullable(),
  /** The native library works: locals of running methods can be read. */
  native: z.boolean(),
  ...healthFields,
});
