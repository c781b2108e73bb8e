import type { Server, ServerOptions } from 'node:http';

/** Limits of connections. They end clients that hold a connection without sending a request. */
export interface ConnectionBounds {
  /** Time from a connection's first byte, or the end of the answer before, to the end of the headers. */
  headersMs: number;
  /** Time to the end of the body: 64 KiB take 26 s over 20 kbit/s. */
  requestMs: number;
  /**
   * Time that a connection may wait for its next request. It is over the 60 s of usual load balancers, which would
   * otherwise meet a connection that is just closing.
   */
  keepAliveMs: number;
  /** Time that an answer may wait for a client that reads none of it. */
  silenceMs: number;
  /** Concurrent connections; more are closed immediately. Some 10 kB each. */
  connections: number;
  /** Unanswered requests of one connection. Browsers and proxies send the next request after the answer. */
  pipelined: number;
  /** Time between two searches for late headers and bodies. */
  checkEveryMs: number;
}

/** Limits of every server; tests set shorter ones. Headers over Node's limit of 16 KiB are answered with 431. */
export const connectionBounds: ConnectionBounds = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  silenceMs: 60_000,
  connections: 10_000,
  pipelined: 8,
  checkEveryMs: 1_000,
};

/** Limits as the options that Node takes only when it creates a server. */
export function serverOptions({
  headersMs,
  requestMs,
  keepAliveMs,
  checkEveryMs,
}: ConnectionBounds): ServerOptions {
  return {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: checkEveryMs,
    // Node would answer a request without Host in its own shape; `answerBadUrl` and `createWayIn` answer it in ours.
    requireHostHeader: false,
  };
}

/** Sets the limits that Node takes only once the server exists. */
export function boundConnections(server: Server, { connections, silenceMs }: ConnectionBounds): void {
  server.maxConnections = connections;
  server.setTimeout(silenceMs);
}
