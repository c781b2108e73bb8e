import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigError } from '../values/errors.js';

/**
 * Listens, and resolves with the port, which the system chooses for port 0.
 * @throws ConfigError if the server cannot listen there
 */
export function listenOn(server: Server, { port, host }: { port: number; host: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        new ConfigError(
          `Cannot listen on HOST "${host}", PORT ${port}: ${error.message}. ${fixOf(error.code)}`,
        ),
      );
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Returns the sentence on how the server could listen, by the error. */
function fixOf(code?: string): string {
  if (code === 'EADDRINUSE') return 'Stop the program that uses it, or set another PORT.';
  if (code === 'EACCES') return 'Set a PORT from 1024.';
  return 'Set HOST to an address of this machine, such as 127.0.0.1, or to 0.0.0.0 for all of them.';
}

/** Time that a stopping server waits for answers before it cuts the connections. */
const drainMs = 10_000;
const closeIdleEveryMs = 200;

/**
 * Stops accepting connections, waits for the requests in progress, and then cuts the remaining connections.
 * @param hurry resolves if the wait must end
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
