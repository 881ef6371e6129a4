import { defineConfig } from 'vitest/config';
import { viteAgentPlugin } from './scripts/agent-plugin.mjs';

/** The tests of a group are those below test/<group>/. CONTRIBUTING.md says what each needs. */
const PARALLEL = ['unit', 'jvm', 'clr', 'browser'];
/** Node's inspector has one port for the whole machine, and daemons attach to whatever they see: one file at a time. */
const SERIAL = ['inspector', 'e2e', 'faults'];

const group = (name: string, fileParallelism: boolean) => ({
  plugins: [viteAgentPlugin()],
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    fileParallelism,
    pool: 'forks' as const,
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 25_000 } },
    setupFiles: ['sound-matchers', 'fast-check-runs', 'waits'].map((name) => `test/support/${name}.ts`),
  },
});

export default defineConfig({
  test: {
    // For the smallest machine that this runs on, of two cores: most tests wait for other processes.
    maxWorkers: 3,
    projects: [...PARALLEL.map((name) => group(name, true)), ...SERIAL.map((name) => group(name, false))],
  },
});
