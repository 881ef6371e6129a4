/** The limits for the cost of a probe. Set by [probe] budget_*, and kept by the agents inside the programs. */

export interface ProbeBudget {
  /** The first search for state: CPU time in ms, and its share of the elapsed time in percent. */
  readonly searchMs: number;
  readonly searchPercent: number;
  /** Memory that the probe may add. */
  readonly memoryBytes: number;
}

/** The part of its budget that a probe would have exceeded, which is why it stopped. */
export const BUDGET_PARTS = ['time', 'memory'] as const;
export type BudgetPart = (typeof BUDGET_PARTS)[number];
