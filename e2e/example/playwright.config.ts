import { defineConfig } from 'playwright/test';

const executablePath = process.env.CHROMIUM_PATH;

export default defineConfig({
  globalSetup: '@orderbeacon/server/testing/globalSetup',
  testMatch: '*.spec.ts',
  use: { launchOptions: executablePath ? { executablePath } : {} },
});
