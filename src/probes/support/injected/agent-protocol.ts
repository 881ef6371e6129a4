/** What all injected agents are asked, and what they answer. How it travels, and what else they are asked, is theirs. */
import * as z from 'zod';
import { BUDGET_PARTS } from '../../../model/budget.ts';
import { healthFields } from '../../../model/health.ts';
import type { MadeValue } from '../../insight/arguments/made-value.ts';
import type { CallQuestion, MethodCall } from '../../insight/methods/method-call.ts';
import type { MethodsQuestion } from '../../insight/methods/method-catalog.ts';
import { rootsUpdate } from '../../insight/roots/root-facts.ts';
import type { UiOperation } from '../../insight/screen/screen-facts.ts';

export interface BeanCall {
  readonly bean: number;
  /** Types as the bean writes them: its operations may have the same name. */
  readonly operation: { readonly name: string; readonly types: readonly string[]; readonly isVoid: boolean } | null;
  /** What is set, where there is no operation. */
  readonly attribute: string | null;
  readonly values: readonly MadeValue[];
}

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
      timeoutMs: number;
      interrupt: boolean;
      /** Of a method, or of an operation of a management bean. */
      call: MethodCall | BeanCall;
      /** The roots that paths in it name. */
      roots: Readonly<Record<string, number>>;
    }
  /** Before a call: of which types its values must be, and of which those objects are that it names. */
  | ({ id: number; op: 'describe'; roots: Readonly<Record<string, number>> } & CallQuestion)
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

export const captureResult = z.object({
  /** A LeafUpdate, checked by `checkLeaves`. */
  leaves: z.unknown(),
  /** null: as at the last capture. */
  roots: rootsUpdate.nullable(),
  /** BeanFacts, see insight/beans; null: as at the last capture, or no management beans ever. */
  beans: z.unknown().optional(),
  /** A ScreenUpdate, see insight/screen; null: as at the last capture, or no windows ever. */
  screen: z.unknown(),
  rawCount: z.number().min(0),
  coverage: z.number().min(0).max(1),
  /** CPU time that the agent's threads took for it, in ms. */
  costMs: z.number().min(0),
  stoppedBy: z.enum(BUDGET_PARTS).nullable(),
  /** Objects of the program are in another application domain or process, which is not read. */
  isElsewhere: z.boolean().optional(),
  /** It is worth asking for methods. */
  hasMethodNews: z.boolean(),
  ...healthFields,
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
