/**
 * The messages between the daemon and the agent inside a .NET or Mono program, version 1. The same list is in
 * agent/Protocol.cs; how a message travels is said in channel.ts and agent/channel/Channel.cs, what the results are in
 * ../injected/agent-protocol.ts.
 *
 * A message is UTF-8 JSON of at most 128 MiB. Requests are `{id, op, …}`, answers `{id, result}` or `{id, error: text}`, in
 * any order: an `invoke` may run while captures go on.
 *
 *   hello    {protocol, maxKeys, budget, forms}              -> HelloResult; the first request of a connection
 *   rules    WalkRules                               -> {}: see probes/insight/walk-rules.ts; the second request
 *   capture  {full, deep, reservedKeys}              -> CaptureResult
 *   methods  {sequence, methods, bodies, members, contracts} -> MethodsAnswer, see probes/insight/methods/method-facts.ts
 *   heapSize {}                                      -> HeapSizeResult: what is in use on the heap
 *   heap     {library}                               -> HeapResult: scans the heap with this library (a path as
 *                                                       the program sees it), which is attached as its profiler by then;
 *                                                       what it finds is in the captures that follow
 *   invoke   {binding, args, timeoutMs, call?, roots} -> InvokeResult
 *   use      {operation, widget, called, words, args, timeoutMs} -> InvokeResult
 *   dispose  {}                                      -> no answer: the agent ends, and removes its files
 *
 * The agent serves one connection at a time. When it ends without `dispose` the agent waits for another daemon, and ends
 * when none has come for five minutes. Its assembly stays loaded: a later attach starts it again.
 */
import * as z from 'zod';
import type { ProbeBudget } from '../../../model/budget.ts';
import { healthFields } from '../../../model/health.ts';
import type { AgentRequest } from '../../support/injected/agent-protocol.ts';

export const PROTOCOL_VERSION = 1;

export type ClrRequest =
  | AgentRequest
  | { id: number; op: 'hello'; protocol: number; maxKeys: number; budget: ProbeBudget; forms: boolean }
  | { id: number; op: 'heapSize' }
  | { id: number; op: 'heap'; library: string };

export const helloResult = z.object({
  protocol: z.number().int(),
  /** Hash of the agent's sources: an agent of another build is replaced. */
  build: z.string().max(100),
  /** `.NET 9.0.1`, `Mono 6.8.0.105 (…)`. */
  framework: z.string().max(300),
  /** The assembly that the program was started with; null if not known. */
  entry: z.string().max(1000).nullable(),
  ...healthFields,
});

export const heapSizeResult = z.object({ megabytes: z.number().min(0) });

/** The number of objects that nothing else leads to. */
export const heapResult = z.object({ found: z.number().int().min(0) });
