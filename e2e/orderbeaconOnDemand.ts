import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { type RunningOrderbeacon, startCommandRunner, startOrderbeacon } from './harness/orderbeacon.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL that answers with the run's one server. The first request starts it. */
    orderbeaconOnDemand: string;
  }
}

/** Starts the one server that all specs share, as a global setup of the run. */
export default async function setup(project: TestProject) {
  let started: ReturnType<typeof start> | undefined;
  // Idle connections stay open. If one were closed while a busy worker sends its next request, that request would fail.
  const server = createServer({ keepAliveTimeout: 0 }, (_, response) => {
    started ??= start();
    started.then(
      ({ running }) => response.end(JSON.stringify(running)),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  project.provide('orderbeaconOnDemand', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);

  return async function teardown() {
    server.close();
    await (await started)?.close();
  };
}

async function start() {
  const [server, commandRunner] = await Promise.all([startOrderbeacon(), startCommandRunner()]);
  const running: RunningOrderbeacon = { ...server.running, commandRunner: commandRunner.url };
  return {
    running,
    async close() {
      commandRunner.close();
      await server.close();
    },
  };
}
