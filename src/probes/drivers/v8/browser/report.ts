/** Parses the reports of the agents of a page, which are foreign input. */
import * as z from 'zod';
import { healthFields } from '../../../../model/health.ts';
import type { LeafRoot, LeafUpdate } from '../../../../model/leaves.ts';
import type { RawAction } from '../../../../model/raw-action.ts';
import { TYPE_NAMES } from '../../../../model/scalar.ts';
import { checkLeaves } from '../../../support/leaf-check.ts';
import { factsOf } from '../js/function-facts.ts';
import type { PageContext, Unfinished } from '../page/protocol.ts';

const MAX_ROOTS = 5000;
const MAX_ACTIONS = 300;
const MAX_PARAMETERS = 100;
const MAX_ACCESSORS = 100;
const MAX_GUESSED = 500;
/** Long values are cut, not refused: one odd control must not cost the whole page. */
const cutTo = (limit: number) => z.string().transform((text) => text.slice(0, limit));
const shortText = cutTo(1000);
/** A page may have a title or an address of any length. */
const cutText = cutTo(4000);

const root = z.object({
  name: shortText,
  origin: shortText,
  mangled: z.boolean(),
  label: shortText.optional(),
  guessed: z
    .array(shortText)
    .transform((list) => list.slice(0, MAX_GUESSED))
    .optional(),
  family: shortText.optional(),
});

const accessor = z.object({ name: shortText, get: cutText.nullable(), set: cutText.nullable() });

const action = z.object({
  binding: shortText,
  name: shortText,
  description: cutText,
  source: cutTo(20_000).nullable(),
  accessors: z
    .array(accessor)
    .transform((list) => list.slice(0, MAX_ACCESSORS))
    .default([]),
  parameters: z
    .array(
      z.object({
        name: shortText,
        type: z.enum(TYPE_NAMES).nullable(),
        required: z.boolean(),
        description: cutText.optional(),
      }),
    )
    .transform((list) => list.slice(0, MAX_PARAMETERS)),
  effect: z.enum(['none', 'setter', 'own-state', 'control', 'look', 'unknown']),
});

const context = z.object({
  url: cutText,
  location: cutText,
  view: cutText.nullable(),
  title: cutText,
  visible: z.boolean(),
  focused: z.boolean(),
});

const report = z.object({
  leaves: z.unknown(),
  roots: z
    .array(root)
    .transform((list) => list.slice(0, MAX_ROOTS))
    .nullable(),
  actions: z.array(action).nullable(),
  rawCount: z.number().min(0),
  coverage: z.number().min(0).max(1),
  stopped: z.boolean(),
  spentMs: z.number(),
  wantsClosures: z.boolean().optional(),
  suspects: z.boolean().optional(),
  context: context.optional(),
  discarded: healthFields.discarded,
});

const unfinished = z.object({ more: z.literal(true), suspects: z.boolean().optional() });

/** A report of either agent. */
export interface Report {
  readonly leaves: LeafUpdate;
  readonly roots: readonly LeafRoot[] | null;
  readonly actions: readonly RawAction[] | null;
  readonly rawCount: number;
  readonly coverage: number;
  readonly stopped: boolean;
  readonly spentMs: number;
  /** Exceptions that the agent dropped so far, by place; null if unchanged. */
  readonly discarded: Readonly<Record<string, number>> | null;
  /** The state agent only. */
  readonly wantsClosures: boolean;
  /** The state agent only: it does not read some objects before the inspector has checked them. */
  readonly suspects: boolean;
  /** The DOM agent only. */
  readonly context: PageContext | null;
}

/** `Unfinished`: the agent's time is up and it needs another call. */
export function readReport(text: unknown, maxKeys: number): Report | Unfinished {
  const value: unknown = typeof text === 'string' ? JSON.parse(text) : null;
  const asksAgain = unfinished.safeParse(value).data;
  if (asksAgain) return { more: true, suspects: asksAgain.suspects ?? false };
  const {
    leaves,
    actions,
    roots,
    wantsClosures = false,
    suspects = false,
    context = null,
    discarded = null,
    ...rest
  } = report.parse(value);
  return {
    ...rest,
    leaves: checkLeaves(leaves, maxKeys),
    roots: roots?.map(toRoot) ?? null,
    actions: actions?.slice(0, MAX_ACTIONS).flatMap(toRawAction) ?? null,
    wantsClosures,
    suspects,
    context,
    discarded,
  };
}

function toRoot({ label, guessed, ...fields }: z.infer<typeof root>): LeafRoot {
  return { ...fields, ...(label === undefined ? {} : { label }), ...(guessed === undefined ? {} : { guessed }) };
}

/** Empty if it needs a function. */
function toRawAction({ source, accessors, parameters, effect, ...named }: z.infer<typeof action>): RawAction[] {
  if (source !== null) {
    const { callbackAt, ...facts } = factsOf(source, accessors);
    return callbackAt < 0 ? [{ ...named, ...facts }] : [];
  }
  const described = parameters.map(({ description, ...fields }) =>
    description === undefined ? fields : { ...fields, description },
  );
  return [{ ...named, parameters: described, returns: 'void', effect }];
}
