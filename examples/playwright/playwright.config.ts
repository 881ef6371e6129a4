import { defineConfig } from '@playwright/test';

const port = process.env.PORT ?? '4173';
// Without it: the Chromium that `npx playwright install chromium` has brought.
const executablePath = process.env.CHROMIUM;

export default defineConfig({
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    launchOptions: executablePath === undefined ? {} : { executablePath },
  },
  webServer: { command: 'node server.mjs', port: Number(port), env: { PORT: port } },
});
