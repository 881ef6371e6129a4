/** For tests in which the cost of a probe does not matter: nothing waits, nothing is cut short. */
import type { ProbeBudget } from '../../src/model/budget.ts';

export const AMPLE: ProbeBudget = { searchMs: 30_000, searchPercent: 100, memoryBytes: 2 ** 30 };
