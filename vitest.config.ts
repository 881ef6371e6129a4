import { defineConfig } from 'vitest/config';
import { viteAgentPlugin } from './scripts/agent-plugin.mjs';
import { ON_REQUEST, PARALLEL, SERIAL } from './scripts/groups.mjs';

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
    projects: [
      ...PARALLEL.map((name) => group(name, true)),
      ...[...SERIAL, ...ON_REQUEST].map((name) => group(name, false)),
    ],
  },
});
