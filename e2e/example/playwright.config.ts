import { defineConfig } from 'playwright/test';

const executablePath = process.env.CHROMIUM_PATH;

export default defineConfig({
  testMatch: '*.spec.ts',
  use: { launchOptions: executablePath ? { executablePath } : {} },
});
