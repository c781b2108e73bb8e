import { connect, type Socket } from 'node:net';

/** What postgres.js tells its `socket` option. */
interface Target {
  host: string[];
  port: number[];
  path?: string | false;
}

/**
 * Makes postgres.js's `socket` option: a function that opens connections and always resolves. By itself
 * postgres.js tries again at once and without end, and fails no query, where something accepts connections
 * and closes them before PostgreSQL has said a word, as a proxy does whose database is away. Here that is an
 * error like any other, so the query fails and the pool waits before it tries again.
 * @param timeoutMs how long a connection may take to be accepted
 */
export function createOpenSocket(timeoutMs: number) {
  let turn = 0;
  return function openSocket({ host, port, path }: Target): Promise<Socket> {
    const at = turn++ % host.length;
    const socket = path ? connect(path) : connect(port[at]!, host[at]!);
    return new Promise((resolve) => {
      socket.setTimeout(timeoutMs, () =>
        socket.destroy(named('CONNECT_TIMEOUT', 'the database does not answer')),
      );
      socket.once('connect', () => {
        socket.setTimeout(0);
        socket.removeAllListeners();
        socket.once('close', () => {
          if (socket.bytesRead === 0)
            socket.emit('error', named('CONNECTION_CLOSED', 'the database hung up'));
        });
        resolve(socket);
      });
      socket.once('error', (error) => {
        // A rejection would lose postgres.js one connection of its pool for good. It listens only once it has
        // the socket, so it gets the dead one and hears of the end afterwards.
        resolve(socket);
        setImmediate(() => {
          socket.emit('error', error);
          socket.emit('close', true);
        });
      });
    });
  };
}

function named(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
