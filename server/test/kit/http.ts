import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A server that a test starts. Orderbeacon's server, a browser or a command calls it. */
export interface Listening {
  port: number;
  /** `http://127.0.0.1:…`, without a slash at its end. */
  url: string;
  /** The connections that are open now. */
  open: Set<Socket>;
  /** Number of connections so far. */
  count: number;
  /** Cuts every connection and closes the server, before the test ends. */
  close(): Promise<void>;
}

/** Lets a server listen on 127.0.0.1, by default on a free port. At the end of the test it is closed. */
export async function listenForTest(server: Server, port = 0): Promise<Listening> {
  const open = new Set<Socket>();
  const listening: Listening = { port, url: '', open, count: 0, close };
  server.on('connection', (socket) => {
    listening.count++;
    open.add(socket);
    // The client may reset the connection.
    socket.on('error', () => {}).on('close', () => open.delete(socket));
  });
  async function close() {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of open) socket.destroy();
    await closed;
  }
  onTestFinished(close);
  await once(server.listen(port, '127.0.0.1'), 'listening');
  listening.port = (server.address() as AddressInfo).port;
  listening.url = `http://127.0.0.1:${listening.port}`;
  return listening;
}

/** Starts an HTTP server that ends with the test. */
export const startHttp = (handler: RequestListener, port = 0): Promise<Listening> =>
  listenForTest(createServer(handler), port);
