import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { setupFiles: ['substrated/test/vitest'] } });
