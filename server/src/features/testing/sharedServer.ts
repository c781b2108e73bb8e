import { type Listen, startTestServer, type TestServer } from './startTestServer.js';

/** The variable in which a test run's processes find its server. The names of settings begin otherwise. */
const variable = 'TEST_ORDERBEACON';

let stop: TestServer['stop'] | undefined;

/** Starts the one server of a test run, for this process and those that it starts. Resolves with its end. */
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

/** Finds the server of this test run; null where it has none. Whoever joins it does not stop it. */
export function findSharedServer(): TestServer | null {
  const text = process.env[variable];
  return text ? { ...JSON.parse(text), stop: async () => {} } : null;
}
