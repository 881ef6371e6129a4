/** Stops an evaluation: an exception of JavaScript, or a limit. Never leaves `Predicate.evaluate`. */
export class EvaluationError extends Error {}
