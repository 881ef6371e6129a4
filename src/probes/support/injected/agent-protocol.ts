/**
 * The requests and answers that all injected agents share. Transport and further requests are defined by each agent.
 */
import * as z from 'zod';
import { BUDGET_PARTS } from '../../../model/budget.ts';
import { healthFields } from '../../../model/health.ts';
import type { MadeValue } from '../../insight/arguments/made-value.ts';
import type { CallQuestion, MethodCall } from '../../insight/methods/method-call.ts';
import type { MethodsQuestion } from '../../insight/methods/method-catalog.ts';
import { rootsUpdate } from '../../insight/roots/root-facts.ts';
import type { UiOperation } from '../../insight/screen/screen-facts.ts';
import type { WalkRules } from '../../insight/walk-rules.ts';

export interface BeanCall {
  readonly bean: number;
  /** Types as the bean writes them: its operations may have the same name. */
  readonly operation: { readonly name: string; readonly types: readonly string[]; readonly isVoid: boolean } | null;
  /** The attribute that is set, where there is no operation. */
  readonly attribute: string | null;
  readonly values: readonly MadeValue[];
}

/** The channel adds the numbers. */
export type AgentRequest =
  /** Sent once per connection, before the first capture. */
  | ({ id: number; op: 'rules' } & WalkRules)
  | {
      id: number;
      op: 'capture';
      full: boolean;
      deep: boolean;
      /** The part of `maxKeys` for keys of windows. */
      reservedKeys?: number;
    }
  /** Requests what changed in the program's methods, after a capture. */
  | ({ id: number; op: 'methods' } & MethodsQuestion)
  | {
      id: number;
      op: 'invoke';
      timeoutMs: number;
      interrupt: boolean;
      /** The call of a method, or of an operation of a management bean. */
      call: MethodCall | BeanCall;
      /** The roots that its paths name. */
      roots: Readonly<Record<string, number>>;
    }
  /** Sent before a call: asks for the types of its values, and of the objects that it names. */
  | ({ id: number; op: 'describe'; roots: Readonly<Record<string, number>> } & CallQuestion)
  /** Uses a control of a window; answered like `invoke`. */
  | {
      id: number;
      op: 'use';
      operation: UiOperation;
      widget: number;
      /** The control in words for people: `the button "Save"`. */
      called: string;
      /** The text that the control must show; null if any will do. */
      words: string | null;
      args: Record<string, unknown>;
      timeoutMs: number;
    }
  /** There is no answer: the agent ends, and removes its files. */
  | { id: number; op: 'dispose' };

const text = (max: number) => z.string().max(max);

export const captureResult = z.object({
  /** A LeafUpdate, checked by `checkLeaves`. */
  leaves: z.unknown(),
  /** Null if unchanged since the last capture. */
  roots: rootsUpdate.nullable(),
  /** BeanFacts, see insight/beans; null if unchanged since the last capture, or there never were management beans. */
  beans: z.unknown().optional(),
  /** A ScreenUpdate, see insight/screen; null if unchanged since the last capture, or there never were windows. */
  screen: z.unknown(),
  rawCount: z.number().min(0),
  coverage: z.number().min(0).max(1),
  /** CPU time of the agent's threads for it, in ms. */
  costMs: z.number().min(0),
  stoppedBy: z.enum(BUDGET_PARTS).nullable(),
  /** Objects of the program are in another application domain or process, which is not read. */
  isElsewhere: z.boolean().optional(),
  /** True if a request for methods is worth it. */
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
  /** Nothing was called: a value cannot be used, the target is gone, or the app is busy. */
  z.object({ refused: z.enum(['argument', 'gone', 'busy']), message: text(4000) }),
  z.object({
    ok: z.boolean(),
    message: text(10_000),
    /** Objects that are shown elsewhere are lists with their paths. */
    rawReturn: z.unknown(),
    /** The method that really ran; null where no method of the app did. `signature`: its descriptor in a JVM. */
    context: called.nullable(),
  }),
]);
