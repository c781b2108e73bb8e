import type { Server } from 'node:http';

/** Time that a stopping server waits for answers before it cuts the connections. */
const drainMs = 10_000;
const closeIdleEveryMs = 200;

/**
 * Takes no new connection, waits for the requests that have begun, and then cuts the connections that are left.
 * @param hurry resolves when nothing more is to be waited for
 */
export async function drain(server: Server, hurry?: Promise<void>): Promise<void> {
  const cut = () => server.closeAllConnections();
  const deadline = setTimeout(cut, drainMs);
  void hurry?.then(cut);
  // A stream that has ended leaves a connection that the client was told to keep.
  const idle = setInterval(() => server.closeIdleConnections(), closeIdleEveryMs);
  await new Promise((resolve) => server.close(resolve));
  clearInterval(idle);
  clearTimeout(deadline);
}
