import { request as httpRequest } from 'node:http';
import { startHttp } from '../kit/http.js';

/**
 * A load balancer as simple as they come: each request goes to the next server in turn, whether that lives or
 * not; 502 when it gives no whole answer. Gone when the test ends.
 */
export async function startBalancer(urls: string[]): Promise<string> {
  let turn = 0;
  const { url } = await startHttp((incoming, outgoing) => {
    const target = new URL(incoming.url!, urls[turn++ % urls.length]);
    const { method, headers } = incoming;
    const forwarded = httpRequest(target, { method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('error', () => outgoing.writeHead(502).end());
      answer.on('end', () => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        outgoing.end(Buffer.concat(chunks));
      });
    });
    forwarded.on('error', () => {
      if (!outgoing.headersSent) outgoing.writeHead(502).end();
    });
    incoming.pipe(forwarded);
  });
  return url;
}
