/** What stops an evaluation: what JavaScript would throw, or a limit. Never leaves `Predicate.evaluate`. */
export class EvaluationError extends Error {}
