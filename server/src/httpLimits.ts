import type { Server, ServerOptions } from 'node:http';

/** Time limits of `node:http`; they end clients that hold connections without asking anything. */
export interface HttpLimits {
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
  /** How often headers and bodies that are late are looked for. */
  checkEveryMs: number;
}

/** The limits of every server; tests give shorter ones. Headers over Node's 16 KiB get 431. */
export const httpLimits: HttpLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  silenceMs: 60_000,
  connections: 10_000,
  checkEveryMs: 1_000,
};

/** What has to be said before a server is made. */
export function serverOptions({
  headersMs,
  requestMs,
  keepAliveMs,
  checkEveryMs,
}: HttpLimits): ServerOptions {
  return {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: checkEveryMs,
    // Node would answer a request without one in a shape of its own; `answerBadUrl` does in ours.
    requireHostHeader: false,
  };
}

/** What can only be said afterwards. */
export function limitConnections(server: Server, { connections, silenceMs }: HttpLimits): void {
  server.maxConnections = connections;
  server.setTimeout(silenceMs);
}
