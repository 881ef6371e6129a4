/** What all injected agents are asked, and what they answer. How it travels, and what else they are asked, is theirs. */
import * as z from 'zod';
import { BUDGET_PARTS } from '../../../model/budget.ts';
import type { MethodCall, MethodsQuestion } from '../../insight/methods/method-catalog.ts';
import { rootsUpdate } from '../../insight/roots/root-facts.ts';
import type { UiOperation } from '../../insight/screen/screen-facts.ts';

/** The numbers are given by the channel. */
export type AgentRequest =
  | {
      id: number;
      op: 'capture';
      full: boolean;
      deep: boolean;
      /** Of `maxKeys`, for what stands in the windows. */
      reservedKeys?: number;
    }
  /** What is new of the methods of the program; asked after a capture. */
  | ({ id: number; op: 'methods' } & MethodsQuestion)
  | {
      id: number;
      op: 'invoke';
      binding: string;
      args: Record<string, unknown>;
      timeoutMs: number;
      interrupt: boolean;
      /** Where the binding is that of a method. */
      call?: MethodCall;
      /** The roots that paths in it name. */
      roots: Readonly<Record<string, number>>;
    }
  /** Answered as `invoke` is: uses a control of a window. */
  | {
      id: number;
      op: 'use';
      operation: UiOperation;
      widget: number;
      /** For people: `the button "Save"`. */
      called: string;
      /** What must stand on it; null: that plays no role. */
      words: string | null;
      args: Record<string, unknown>;
      timeoutMs: number;
    }
  /** Without an answer: the agent ends, and removes its files. */
  | { id: number; op: 'dispose' };

const text = (max: number) => z.string().max(max);
const typeName = z.enum(['string', 'number', 'boolean', 'object', 'array']);

export const captureResult = z.object({
  /** A LeafUpdate, checked by `checkLeaves`. */
  leaves: z.unknown(),
  /** null: as at the last capture. */
  roots: rootsUpdate.nullable(),
  /** Of windows and management beans; null: as at the last capture. */
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
  /** A ScreenUpdate, see insight/screen; null: as at the last capture, or no windows ever. */
  screen: z.unknown(),
  rawCount: z.number().min(0),
  coverage: z.number().min(0).max(1),
  /** CPU time that the agent's threads took for it, in ms. */
  costMs: z.number().min(0),
  stoppedBy: z.enum(BUDGET_PARTS).nullable(),
  /** It is worth asking for methods. */
  hasMethodNews: z.boolean(),
});
export type CaptureResult = z.infer<typeof captureResult>;

const called = z.object({
  class: text(2000),
  method: text(2000),
  signature: text(4000),
  instance: text(2000).nullable(),
  thread: text(1000),
});
export type Called = z.infer<typeof called>;

export const invokeResult = z.union([
  /** Nothing was called: a value cannot be used, what was to be called is not there, or the app has no time for it. */
  z.object({ refused: z.enum(['argument', 'gone', 'busy']), message: text(4000) }),
  z.object({
    ok: z.boolean(),
    message: text(10_000),
    /** Objects that are shown elsewhere are lists with their paths. */
    rawReturn: z.unknown(),
    /** What really ran; null where no method of the app did. `signature`: its descriptor in a JVM. */
    context: called.nullable(),
  }),
]);
