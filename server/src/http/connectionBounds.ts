import type { RequestListener, Server, ServerOptions } from 'node:http';
import type { Socket } from 'node:net';

/** Limits on connections; most of time, to end clients that hold them without asking anything. */
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
  /** Requests of one connection without an answer yet; browsers and proxies send the next one after the answer. */
  pipelined: number;
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
  pipelined: 8,
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

/**
 * Lets each connection have one request in the app at a time. Node hands over all that a connection brings at
 * once: 1,000 connections with 32 requests each held every other client up for 5 s. Those behind the first
 * wait; a connection that brings more than `pipelined` is cut, and whoever pipelines has to expect that and
 * send again (RFC 9112, section 9.3.2).
 */
export function oneAtATime(
  answer: RequestListener,
  { pipelined }: Pick<HttpLimits, 'pipelined'>,
): RequestListener {
  const queues = new WeakMap<Socket, (() => void)[]>();
  return function oneAtATime(request, response) {
    const { socket } = request;
    const queue = queues.get(socket) ?? [];
    if (queue.length >= pipelined) socket.destroy();
    if (socket.destroyed) return;
    response.once('close', () => {
      queue.shift();
      // In a turn of its own: a refusal is answered at once, and a chain of them would be one long turn again.
      if (queue.length > 0 && !socket.destroyed) setImmediate(queue[0]!);
    });
    queues.set(socket, queue);
    queue.push(() => answer(request, response));
    if (queue.length === 1) answer(request, response);
  };
}
