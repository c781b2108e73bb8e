import { type Listen, startTestServer, type TestServer } from './startTestServer.js';

/** The variable in which a test run's processes find its server. Its name begins differently from those of settings. */
const variable = 'TEST_ORDERBEACON';

let stop: TestServer['stop'] | undefined;

/** Starts the server of a test run, for this process and its child processes. Resolves with the function that stops it. */
export async function startSharedServer(listen: Listen): Promise<typeof stopSharedServer> {
  const { url, databaseUrl, stop: stopServer } = await startTestServer(listen);
  stop = stopServer;
  process.env[variable] = JSON.stringify({ url, databaseUrl });
  return stopSharedServer;
}

/** Stops the server that `startSharedServer` has started. */
export async function stopSharedServer(): Promise<void> {
  delete process.env[variable];
  await stop?.();
  stop = undefined;
}

/** Finds the server of this test run; null without one. Its `stop` does nothing, because others use the server, too. */
export function findSharedServer(): TestServer | null {
  const text = process.env[variable];
  return text ? { ...JSON.parse(text), stop: async () => {} } : null;
}
