/** Failures that agents report: parts that do not work in this program, and exceptions that they dropped. */
import * as z from 'zod';

const MAX_PARTS = 20;
const MAX_PLACES = 64;
const MAX_PROBLEM = 300;
const PART_NAME = /^[a-z][a-z0-9_]{0,39}$/;
/** `Walk.readField`, `Walk.readField:IllegalAccessException`: names of code, never data. */
const PLACE = /^[A-Za-z_$<][\w$<>]*(?:\.[\w$<>]+)*(?::[\w$]+)?$/;
const MAX_PLACE = 120;

export interface MissingPart {
  readonly name: string;
  /** For people. */
  readonly problem: string;
}

export interface ProbeHealth {
  /** Parts of the probe that could not be loaded, or failed. */
  readonly parts: readonly MissingPart[];
  /** Number of exceptions dropped since the agent started, by place in its code. */
  readonly discarded: Readonly<Record<string, number>>;
}

export const HEALTHY: ProbeHealth = { parts: [], discarded: {} };

const part = z.object({
  name: z.string().regex(PART_NAME),
  problem: z.string().transform((text) => text.slice(0, MAX_PROBLEM)),
});

/** Fields for answers of agents. An invalid part is left out, because the rest of the answer is still useful. */
export const healthFields = {
  /** The whole list. Absent if it has not changed. */
  parts: z
    .array(z.unknown())
    .transform((list) => list.slice(0, MAX_PARTS).flatMap((each) => part.safeParse(each).data ?? []))
    .optional()
    .catch(undefined),
  /** Totals. Absent if they have not changed. */
  discarded: z
    .record(z.string(), z.unknown())
    .transform((counts) => Object.fromEntries(Object.entries(counts).filter(isCount).slice(0, MAX_PLACES)))
    .optional()
    .catch(undefined),
};

function isCount(entry: [string, unknown]): entry is [string, number] {
  const [place, count] = entry;
  return place.length <= MAX_PLACE && PLACE.test(place) && Number.isSafeInteger(count) && Number(count) > 0;
}
