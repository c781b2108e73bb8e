import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionBounds } from './connectionBounds.js';

/** Request that waits for those before it, and its response. */
type QueuedRequest = [IncomingMessage, ServerResponse<IncomingMessage> & { req: IncomingMessage }];

/**
 * Lets one request of each connection into the app at a time. Node hands over all requests of a connection immediately:
 * 1,000 connections with 32 requests each held up every other client for 5 s. Those behind the first one wait. A
 * connection that brings more than `pipelined` is cut; a client that pipelines must expect that and send again (RFC 9112,
 * section 9.3.2).
 */
export function limitPipelining(
  answer: RequestListener,
  { pipelined }: Pick<ConnectionBounds, 'pipelined'>,
): RequestListener {
  const queues = new WeakMap<Socket, QueuedRequest[]>();
  // One function serves all requests, because a closure for each of them showed in the profile.
  const start = ([request, response]: QueuedRequest) => answer(request, response);

  function next(this: ServerResponse): void {
    const { socket } = this.req;
    const queue = queues.get(socket)!;
    queue.shift();
    // Started in a turn of its own, because refusals are answered immediately and a chain of them would be one long turn.
    if (queue.length > 0 && !socket.destroyed) setImmediate(start, queue[0]!);
  }

  return function limitPipelining(request, response) {
    const { socket } = request;
    let queue = queues.get(socket);
    if (queue === undefined) {
      queue = [];
      queues.set(socket, queue);
    }
    if (queue.length >= pipelined) socket.destroy();
    if (socket.destroyed) return;
    response.on('close', next);
    queue.push([request, response]);
    if (queue.length === 1) answer(request, response);
  };
}
