import { request as httpRequest } from 'node:http';
import { startHttp } from '../kit/http.js';

/**
 * Starts the simplest load balancer: each request goes to the next server in turn, even if that one has ended. It answers 502
 * if the server gives no whole answer. It ends with the test.
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
