import type { Server } from 'node:http';

/** Time that a stopping server waits for answers before it cuts the connections. */
const drainMs = 10_000;
const closeIdleEveryMs = 200;

/** Takes no new connection, waits for the requests that have begun, and then cuts the connections that are left. */
export async function drain(server: Server): Promise<void> {
  const deadline = setTimeout(() => server.closeAllConnections(), drainMs);
  // A stream that has ended leaves a connection that the client was told to keep.
  const idle = setInterval(() => server.closeIdleConnections(), closeIdleEveryMs);
  await new Promise((resolve) => server.close(resolve));
  clearInterval(idle);
  clearTimeout(deadline);
}
