import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserServer } from 'playwright';
import type { TestProject } from 'vitest/node';
import { type PlaywrightEngine, startShared } from './browsers/launch.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Base URL. `/chromium` and `/firefox` answer with the endpoint of the run's browser. The first request starts it. */
    browsersOnDemand: string;
  }
}

/**
 * Starts one browser of each engine for the whole run, as a global setup. Each spec file has a context in it. The start of a
 * Firefox costs five seconds of CPU.
 */
export default async function setup(project: TestProject) {
  const started: Partial<Record<PlaywrightEngine, Promise<BrowserServer>>> = {};
  // Idle connections stay open. If one were closed while a busy worker sends its next request, that request would fail.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const engine = request.url!.slice(1) as PlaywrightEngine;
    started[engine] ??= startShared(engine);
    started[engine].then(
      (browser) => response.end(browser.wsEndpoint()),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  project.provide('browsersOnDemand', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);

  return async function teardown() {
    server.close();
    await Promise.allSettled(Object.values(started).map(async (browser) => (await browser).close()));
  };
}
