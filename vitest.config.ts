import { defineConfig } from 'vitest/config';
import { viteAgentPlugin } from './scripts/agent-plugin.mjs';

/** These attach to Java programs of their own: nothing that they could take from each other. */
const JVM = ['test/probes/jvm/jvm-*.test.ts'];
/** Likewise, to .NET and Mono programs. */
const CLR = ['test/probes/clr/clr-*.test.ts'];
/** Each has a browser of its own. */
const BROWSER = ['test/probes/v8/browser-*.test.ts'];
/** These attach through a port that all Node processes share: one file at a time. */
const INSPECTOR = ['test/probes/v8/{node,electron,nw,deno}-*.test.ts'];
/** These start daemons, which attach to whatever runs on the machine: one file at a time, and nothing beside them. */
const LIVE = ['test/daemon/live-*.test.ts', 'test/e2e/**/*.test.ts'];

const setupFiles = ['test/support/sound-matchers.ts'];
const shared = { testTimeout: 60_000, hookTimeout: 60_000, pool: 'forks', isolate: false, setupFiles } as const;
/** Of real programs, which have their own clocks: a test is tried once more, and what it needed that for is said at the end. */
const real = { ...shared, retry: 1 } as const;

export default defineConfig({
  test: {
    // For the smallest machine that this runs on, of two cores: most tests wait for other processes.
    maxWorkers: 3,
    projects: [
      {
        plugins: [viteAgentPlugin()],
        test: {
          ...shared,
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...JVM, ...CLR, ...BROWSER, ...INSPECTOR, ...LIVE, '**/node_modules/**'],
          setupFiles: [...setupFiles, 'test/support/fast-check-runs.ts'],
        },
      },
      { plugins: [viteAgentPlugin()], test: { ...real, name: 'jvm', include: JVM } },
      { plugins: [viteAgentPlugin()], test: { ...real, name: 'clr', include: CLR } },
      { plugins: [viteAgentPlugin()], test: { ...real, name: 'browser', include: BROWSER } },
      {
        plugins: [viteAgentPlugin()],
        test: { ...real, name: 'inspector', include: INSPECTOR, fileParallelism: false },
      },
      {
        plugins: [viteAgentPlugin()],
        test: { ...real, name: 'live', include: LIVE, fileParallelism: false },
      },
    ],
  },
});
