import type { Server, ServerOptions } from 'node:http';

/** Bounds of a connection, most of them in time: they end clients that keep a connection without asking anything. */
export interface ConnectionBounds {
  /** From a connection's first byte, or the end of the answer before, to the end of the headers. */
  headersMs: number;
  /** To the end of the body: 64 KiB take 26 s over 20 kbit/s. */
  requestMs: number;
  /** How long a connection may wait for its next request; over the 60 s of usual load balancers, which would else meet one that is just closing. */
  keepAliveMs: number;
  /** How long an answer may wait for a client that takes none of it. */
  silenceMs: number;
  /** Connections at once; more are closed unheard. Some 10 kB each. */
  connections: number;
  /** Requests of one connection without an answer yet; browsers and proxies send the next one after the answer. */
  pipelined: number;
  /** How often headers and bodies that are late are looked for. */
  checkEveryMs: number;
}

/** The bounds of every server; tests give shorter ones. Headers over Node's 16 KiB get 431. */
export const connectionBounds: ConnectionBounds = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  silenceMs: 60_000,
  connections: 10_000,
  pipelined: 8,
  checkEveryMs: 1_000,
};

/** The options that Node takes only when the server is made. */
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
    // Node would answer a request without one in a shape of its own; `answerBadUrl` does in ours.
    requireHostHeader: false,
  };
}

/** Sets the bounds that Node takes only on a server that is made. */
export function boundConnections(server: Server, { connections, silenceMs }: ConnectionBounds): void {
  server.maxConnections = connections;
  server.setTimeout(silenceMs);
}
