/** What looking into a program may cost it. Set by [probe] budget_*, and kept by the agents inside of the programs. */

/** What a probe may cost its target. The agent inside keeps to it. */
export interface ProbeBudget {
  /** The first search for state: CPU time, in ms, and its share of the time meanwhile, in percent. */
  readonly searchMs: number;
  readonly searchPercent: number;
  /** Memory that may be added. */
  readonly memoryBytes: number;
}

/** Which part of its budget a probe would have gone over: it stopped before. */
export const BUDGET_PARTS = ['time', 'memory'] as const;
export type BudgetPart = (typeof BUDGET_PARTS)[number];
