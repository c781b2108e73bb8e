import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { buildStale } from './build.js';
import type {} from './built.js';
import type { Workspace } from './freshness.js';

/** Global setup of the whole run: no test runs against files that were built from older sources. */
export default async function setup(project: TestProject) {
  let builds: Partial<Record<Workspace, Promise<void>>> = {};
  project.onTestsRerun(() => {
    builds = {};
  });
  // Idle connections stay open: one that is closed while a busy worker sends its next request fails it.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const workspace = request.url!.slice(1) as Workspace;
    builds[workspace] ??= buildStale([workspace]);
    builds[workspace].then(
      () => response.end(),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  project.provide('buildOnDemand', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return () => void server.close();
}
