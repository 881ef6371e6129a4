/**
 * What the daemon and the agent inside a Java program say to each other, version 1. The same words stand in
 * agent/java/substrate/agent/Protocol.java.
 *
 * Frames, both ways:
 *
 *   u32 little endian: length of the text in bytes | UTF-8 JSON text
 *
 * A frame of more than 128 MiB is never one of ours: the connection is closed. Requests are `{id, op, …}`, answers
 * `{id, result}` or `{id, error: text}`, in any order: an `invoke` may be on its way while captures go on.
 *
 *   hello    {protocol, maxKeys, jmx, swing}         -> HelloResult; the first request of a connection
 *   capture  {full, deep}                            -> CaptureResult
 *   invoke   {binding, args, timeoutMs}              -> InvokeResult
 *   dispose  {}                                      -> no answer: the agent removes itself, with its files
 *
 * The agent serves one connection at a time. When it ends without `dispose` the agent waits for another daemon, and
 * removes itself when none has come for five minutes.
 */
import { z } from 'zod';

export const PROTOCOL_VERSION = 1;

export type JvmRequest =
  | { id: number; op: 'hello'; protocol: number; maxKeys: number; jmx: boolean; swing: boolean }
  | { id: number; op: 'capture'; full: boolean; deep: boolean }
  | { id: number; op: 'invoke'; binding: string; args: Record<string, unknown>; timeoutMs: number }
  | { id: number; op: 'dispose' };

export const helloResult = z.object({
  protocol: z.number().int(),
  /** Hash of the agent's files: another one is replaced. */
  build: z.string().max(100),
  /** `java.version` of the target. */
  java: z.string().max(100),
  /** The native library works: locals of running methods can be seen. */
  native: z.boolean(),
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

export const invokeResult = z.union([
  /** Nothing was called: `argument` says that a value cannot be used, else the thing to call is not there. */
  z.object({ refused: z.enum(['argument', 'gone']), message: text(4000) }),
  z.object({
    ok: z.boolean(),
    message: text(10_000),
    rawReturn: z.unknown(),
    /** class, method, descriptor, instance, thread. */
    context: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).nullable(),
  }),
]);
