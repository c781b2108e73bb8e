import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

/** The values of a page's placeholders: `{{teamId}}`, `{{endpoint}}` and others that it names. */
export type Fillings = Record<string, string>;

/** A web server for merchants' pages. */
export interface PageServer {
  port: number;
  /** Serves the page `e2e/pages/<file>` under a path, with its placeholders filled in. */
  serve(path: string, file: string, fillings: Fillings, headers?: Record<string, string>): void;
  /** Serves a text unchanged. */
  serveText(path: string, type: string, body: string): void;
  close(): Promise<void>;
}

/** Starts a shop's web server. It answers for every host name that leads to this machine. */
export async function startPageServer(): Promise<PageServer> {
  const pages = new Map<string, { type: string; body: string; headers: Record<string, string> }>();
  const server = createServer((request, response) => {
    const page = pages.get(new URL(request.url!, 'http://any').pathname);
    if (!page) return void response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': page.type, ...page.headers }).end(page.body);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    serve(path, file, fillings, headers = {}) {
      const text = readFileSync(fileURLToPath(new URL(`../pages/${file}`, import.meta.url)), 'utf8');
      const body = text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => fillings[name] ?? '');
      pages.set(path, {
        type: file.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8',
        body,
        headers,
      });
    },
    serveText(path, type, body) {
      pages.set(path, { type, body, headers: {} });
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
