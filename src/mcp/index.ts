/** What is loaded on demand, as a bundle of its own (see scripts/build.mjs): the tools for models, and both ways to them. */
export { answerMcp } from './http.ts';
export { serveMcp } from './stdio.ts';
