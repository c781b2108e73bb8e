import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { onTestFinished } from 'vitest';

/** A receiver of requests that may break every rule of HTTP. */
export interface RawReceiver {
  port: number;
  /** Connections that are open now. */
  open: Set<Socket>;
  /** Connections so far. */
  count: number;
}

/**
 * Starts a receiver on 127.0.0.1 that ends with the test.
 * @param accept gets each connection, and decides what is said on it
 * @param tls speaks TLS
 */
export async function startRawReceiver(
  accept: (socket: Socket) => void,
  tls?: TlsOptions,
): Promise<RawReceiver> {
  const receiver: RawReceiver = { port: 0, open: new Set(), count: 0 };
  const server = tls ? createTlsServer(tls, accept) : createServer(accept);
  server.on('connection', (socket: Socket) => {
    receiver.count++;
    receiver.open.add(socket);
    socket.on('close', () => receiver.open.delete(socket));
  });
  // Senders may reset the connection, before the handshake too.
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => socket.on('error', () => {}));
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  receiver.port = (server.address() as AddressInfo).port;
  onTestFinished(() => {
    for (const socket of receiver.open) socket.destroy();
    server.close();
  });
  return receiver;
}
