import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { type Listening, listenForTest } from './http.js';

/**
 * Starts a receiver on 127.0.0.1 that may break every rule of HTTP. It ends with the test.
 * @param accept gets each connection, and writes to it
 * @param tls options of TLS; default: no TLS
 */
export function startRawReceiver(accept: (socket: Socket) => void, tls?: TlsOptions): Promise<Listening> {
  if (!tls) return listenForTest(createServer(accept));
  const server = createTlsServer(tls, accept);
  // Senders may reset the connection during the handshake, and after it.
  server.on('tlsClientError', () => {});
  server.on('secureConnection', (socket) => socket.on('error', () => {}));
  return listenForTest(server);
}
