import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

const stub = readFileSync(fileURLToPath(import.meta.resolve('@orderbeacon/sdk/stub.js')), 'utf8');

/** A running shop. */
export interface ExampleShop {
  url: string;
  close(): void;
}

/**
 * Starts a shop whose page `/thanks?order=…` confirms an order.
 * @param scriptHtml the script element of Orderbeacon
 */
export async function startShop(scriptHtml: string): Promise<ExampleShop> {
  const server = createServer((request, response) => {
    const orderId = new URL(request.url!, 'http://localhost').searchParams.get('order');
    const order = JSON.stringify({ email: 'ann@buyer.example', amount: 49.9, currency: 'EUR', orderId });
    response.setHeader('Content-Type', 'text/html');
    response.end(`<!doctype html><title>Thank you</title>
${scriptHtml}
<p>Thank you for your order.</p>
<script>${stub}
track('order', ${order.replaceAll('<', '\\u003c')});</script>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  };
}
