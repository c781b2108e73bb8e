import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A report as it arrived. */
export interface Received {
  path: string | undefined;
  contentType: string | undefined;
  cookie: string | undefined;
  report: Record<string, unknown>;
}

/** A real HTTP server whose answers a test sets. */
export interface Collector {
  origin: string;
  received: Received[];
  /** Sets the answer to each later report. */
  answer(
    how: (response: ServerResponse, report: Record<string, unknown>, request: IncomingMessage) => void,
  ): void;
  /** Resolves when `count` reports have arrived in all. */
  until(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Answers as the real server answers a new order. */
export function accept(response: ServerResponse, report: Record<string, unknown>): void {
  const { amount, reportId } = report;
  const data = { id: 'ord_1', orderNumber: 'ORD-1', amount, isNew: true, reportId };
  response.end(JSON.stringify({ success: true, data }));
}

/** Answers with a status and an error. */
export function refuse(status: number, code: string, message: string, headers: Record<string, string> = {}) {
  return (response: ServerResponse, { reportId }: Record<string, unknown>) => {
    const body = { success: false, error: { code, message }, requestId: 'r1', reportId };
    response.writeHead(status, headers).end(JSON.stringify(body));
  };
}

/** Starts a collector. @param port default: a free one */
export async function startCollector(port = 0): Promise<Collector> {
  const received: Received[] = [];
  let how: Parameters<Collector['answer']>[0] = accept;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const report = JSON.parse(body);
    const { 'content-type': contentType, cookie } = request.headers;
    received.push({ path: request.url, contentType, cookie, report });
    server.emit('report');
    how(response, report, request);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: (next) => {
      how = next;
    },
    until: async (count) => {
      while (received.length < count) await once(server, 'report');
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
