/**
 * Property tests run longer on request: `FC_RUNS=5000 npx vitest run …` before a release, or after a change to a
 * parser.
 */
import fc from 'fast-check';

if (process.env.FC_RUNS !== undefined) fc.configureGlobal({ numRuns: Number(process.env.FC_RUNS) });
