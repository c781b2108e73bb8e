import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../browsers/freePort.ts';
import { type CannedAnswer, corsOf } from './answers.ts';

/** A fault of one request. */
export type Fault =
  /** No fault. */
  | 'pass'
  /** The proxy itself answers. The server does not get the request. */
  | CannedAnswer
  /** Delayed by this time. The server does not get it if the browser has cancelled it by then. */
  | { travelMs: number }
  /** Never answered. The server does not get it. */
  | 'hang'
  /** The connection is cut before the server gets anything. */
  | 'reset'
  /** The server stores the order, and the answer is lost with the connection. */
  | 'drop answer';

/** A request that reached the proxy. */
export interface SeenRequest {
  method: string;
  url: string;
  /** Time at which the proxy received it. */
  atMs: number;
  /** Set once all of it has arrived. Then the network has it, whatever happens to the browser. */
  isComplete?: boolean;
  /** Time at which it reached the server, or its fault. */
  arrivedMs?: number;
  /** The `name` of the order that it reports. */
  name?: string;
  /** The visitor's landings in the report. */
  landings?: string;
  /** The server's answer, which may not have reached the page. */
  status?: number;
  origin: string | undefined;
  contentType: string | undefined;
  cookie: string | undefined;
}

/** A proxy between browser and server that simulates the faults of networks. */
export interface FaultProxy {
  port: number;
  /** Every request so far, in order. */
  seen: SeenRequest[];
  /**
   * Chooses the fault of each attempt to deliver an order. Attempts are numbered from 0. Default: pass. They are counted per
   * order, because a page may still retry an order whose answer an earlier page did not get.
   */
  onReport(decide: (attempt: number, name: string) => Fault): void;
  /** Sets the fault of requests for the script. Default: pass. After the first call, browsers do not cache the script. */
  onScript(fault: Fault): void;
  /** Round-trip time in ms, added to each request. A connection's first request pays it twice, as with TCP. */
  roundTripMs: number;
  /** Refuses connections, as if the server were down. */
  goDown(): Promise<void>;
  comeUp(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a fault proxy in front of the server at `target`. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  let decide: (attempt: number, name: string) => Fault = () => 'pass';
  let scriptFault: Fault | undefined;
  const attempts = new Map<string, number>();
  const seen: SeenRequest[] = [];
  const greeted = new WeakSet<Socket>();
  const sockets = new Set<Socket>();

  // Idle connections stay open. If one were closed while a busy browser sends its next report, that would be an unplanned fault.
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const { method = '', url = '', headers, socket } = request;
    const entry: SeenRequest = {
      method,
      url,
      atMs: Date.now(),
      origin: headers.origin,
      contentType: headers['content-type'],
      cookie: headers.cookie,
    };
    seen.push(entry);
    // Null if the browser cancels its request before all of it has arrived, which it may do during the delay.
    const body = readAll(request).then(
      (bytes) => {
        entry.isComplete = true;
        return bytes;
      },
      () => null,
    );
    const trips = greeted.has(socket) ? 0.5 : 1.5;
    greeted.add(socket);
    await delay(proxy.roundTripMs * trips);
    entry.arrivedMs = Date.now();
    const bytes = await body;
    if (bytes === null) return;
    const fault = decideFor(entry, bytes);
    if (fault === 'hang') return;
    if (fault === 'reset') return void socket.resetAndDestroy();
    if (typeof fault === 'object' && 'status' in fault) {
      await delay(proxy.roundTripMs / 2);
      response.writeHead(fault.status, { ...corsOf(request), ...fault.headers }).end(fault.body);
      return;
    }
    if (typeof fault === 'object') {
      await delay(fault.travelMs);
      if (socket.destroyed) return;
    }
    await forward(entry, request, bytes, response, fault === 'drop answer');
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
  });

  function decideFor(entry: SeenRequest, body: Buffer): Fault {
    if (entry.url.startsWith('/sdk/')) return scriptFault ?? 'pass';
    if (!entry.url.startsWith('/svc-api/') || entry.method !== 'POST') return 'pass';
    const { name = '', landings } = JSON.parse(body.toString()) as { name?: string; landings?: string };
    entry.name = name;
    if (landings !== undefined) entry.landings = landings;
    const attempt = attempts.get(name) ?? 0;
    attempts.set(name, attempt + 1);
    return decide(attempt, name);
  }

  async function forward(
    entry: SeenRequest,
    request: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
    isDropped: boolean,
  ) {
    const { hostname, port } = new URL(target);
    const { method, url, headers } = request;
    const onward = httpRequest({ hostname, port, method, path: url, headers }).end(body);
    // Errors after the beginning of the answer come here, too.
    onward.on('error', () => {});
    try {
      const [answer] = (await once(onward, 'response')) as [IncomingMessage];
      const bytes = await readAll(answer);
      if (answer.statusCode) entry.status = answer.statusCode;
      await delay(proxy.roundTripMs / 2);
      if (isDropped) request.socket.resetAndDestroy();
      else
        response
          .writeHead(answer.statusCode ?? 502, scriptFault ? uncached(url, answer.headers) : answer.headers)
          .end(bytes);
    } catch {
      // The server has ended, perhaps in the middle of its answer.
      request.socket.resetAndDestroy();
    }
  }

  const listen = (port: number) =>
    new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.resetAndDestroy();
    });

  // While the proxy is down, no other program may get its port.
  const port = await freePort();
  await listen(port);
  const proxy: FaultProxy = {
    port,
    seen,
    roundTripMs: 0,
    onReport(next) {
      decide = next;
      attempts.clear();
    },
    onScript(fault) {
      scriptFault = fault;
    },
    goDown: stop,
    comeUp: () => listen(port),
    close: stop,
  };
  return proxy;
}

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Returns headers that make every page request the script, so that every page meets its faults. */
const uncached = (url: string | undefined, headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  url?.startsWith('/sdk/') ? { ...headers, 'cache-control': 'no-store' } : headers;
