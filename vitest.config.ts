import { defineConfig } from 'vitest/config';
import { viteAgentPlugin } from './scripts/agent-plugin.mjs';

export default defineConfig({
  plugins: [viteAgentPlugin()],
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Tests start real processes; two workers fit the smallest machine they run on.
    maxWorkers: 2,
    pool: 'forks',
  },
});
