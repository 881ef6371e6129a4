/** A bundle that is loaded on demand (see scripts/build.mjs): the MCP tools, and both transports. */
export { answerMcp } from './http.ts';
export { serveMcp } from './stdio.ts';
