/**
 * What the daemon and the agent inside a .NET or Mono program say to each other, version 1. The same words stand in
 * agent/Protocol.cs; how a message travels is said in channel.ts and agent/channel/Channel.cs.
 *
 * A message is UTF-8 JSON of at most 128 MiB. Requests are `{id, op, …}`, answers `{id, result}` or `{id, error: text}`, in
 * any order: an `invoke` may be on its way while captures go on.
 *
 *   hello    {protocol, maxKeys, forms}              -> HelloResult; the first request of a connection
 *   capture  {full, deep}                            -> CaptureResult
 *   heap     {library}                               -> HeapResult: looks through the heap with this library (a path as
 *                                                       the program sees it), which is attached as its profiler by then;
 *                                                       what it finds is in the captures that follow
 *   invoke   {binding, args, timeoutMs}              -> InvokeResult
 *   dispose  {}                                      -> no answer: the agent ends, and removes its files
 *
 * The agent serves one connection at a time. When it ends without `dispose` the agent waits for another daemon, and ends
 * when none has come for five minutes. Its assembly stays loaded: a later attach starts it again.
 */
import { z } from 'zod';

export const PROTOCOL_VERSION = 1;

export type ClrRequest =
  | { id: number; op: 'hello'; protocol: number; maxKeys: number; forms: boolean }
  | { id: number; op: 'capture'; full: boolean; deep: boolean }
  | { id: number; op: 'heap'; library: string }
  | { id: number; op: 'invoke'; binding: string; args: Record<string, unknown>; timeoutMs: number }
  | { id: number; op: 'dispose' };

export const helloResult = z.object({
  protocol: z.number().int(),
  /** Hash of the agent's sources: another one is replaced. */
  build: z.string().max(100),
  /** `.NET 9.0.1`, `Mono 6.8.0.105 (…)`. */
  framework: z.string().max(300),
});

const text = (max: number) => z.string().max(max);
const typeName = z.enum(['string', 'number', 'boolean', 'object', 'array']);

export const captureResult = z.object({
  /** A LeafUpdate, checked by `checkLeaves`. */
  leaves: z.unknown(),
  /** null: as at the last capture. */
  roots: z.array(z.object({ name: text(1000), origin: text(2000), label: text(1000).nullable() })).nullable(),
  /** null: as at the last capture. */
  actions: z
    .array(
      z.object({
        binding: text(4000),
        name: text(2000),
        parameters: z
          .array(
            z.object({
              name: text(300),
              type: typeName.nullable(),
              required: z.boolean(),
              description: text(1000).nullable(),
            }),
          )
          .max(64),
        returns: z.union([typeName, z.enum(['void', 'unknown'])]),
        effect: z.enum(['none', 'setter', 'own-state', 'control', 'unknown']),
        description: text(2000),
      }),
    )
    .max(1000)
    .nullable(),
  /** Title of the window that is in front, and what names it; null without windows. */
  windowTitle: text(1000).nullable(),
  windowId: text(300).nullable(),
  rawCount: z.number().min(0),
  coverage: z.number().min(0).max(1),
});

/** How many objects were found that nothing else leads to. */
export const heapResult = z.object({ found: z.number().int().min(0) });

export const invokeResult = z.union([
  /** Nothing was called: `argument` says that a value cannot be used, else the thing to call is not there. */
  z.object({ refused: z.enum(['argument', 'gone']), message: text(4000) }),
  z.object({
    ok: z.boolean(),
    message: text(10_000),
    rawReturn: z.unknown(),
    /** class, method, signature, instance, thread. */
    context: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).nullable(),
  }),
]);
