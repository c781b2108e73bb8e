import { defineConfig } from 'vitest/config';

const room = (name: string, more: object = {}) => ({
  test: {
    name,
    root: name,
    include: ['test/**/*.test.ts', '*.test.ts', 'specs/**/*.test.ts'],
    retry: 0,
    ...more,
  },
});

/** One runner for all rooms. A test that fails once is a failed test: there are no retries. */
export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    projects: [room('sdk'), room('server', { globalSetup: ['test/globalSetup.ts'] }), room('e2e')],
    reporters: ['default', new URL('./summary.ts', import.meta.url).pathname],
  },
});
