import { performance } from 'node:perf_hooks';
import type { Candidate } from './candidate.js';
import { fillShop } from './fillShop.js';
import { count, ms, notify, row } from './table.js';
import type { Verdict } from './verdict.js';

const orders = 5_000_000;
const p95AtMostMs = 200;
/** Number of requests of each page in a round. */
const looks = 20;

/** Pages of the console, by their use. No order has the text of the last searches. */
const pages = {
  'overview, 30 days': '',
  'overview, 12 months': '?range=12m',
  'overview, 12 months by campaign': '?range=12m&touch=last&by=campaign',
  orders: '/orders',
  'orders, 12 months': '/orders?range=12m',
  'search of an order id': '/orders?q=shop-1234',
  'search of an email': '/orders?q=buyer-77%40mail.example',
  'search of a rare text': '/orders?q=none-has-this',
  'search of a rare text, 12 months': '/orders?q=none-has-this&range=12m',
  'refunded orders': '/orders?paid=refunded',
  'first bytes of an export, 12 months': '/orders.csv?range=12m',
};

/** Bytes of an answer that are awaited. A page is smaller; of an export these are its heading and its first orders. */
const firstBytes = 100_000;

/** Prints the times of the console's pages, for a team with 5 million orders, on an otherwise idle server. */
export async function measureConsole(
  { server, sql, run, teamId }: Candidate,
  teamUuid: string,
  rounds: number,
  verdict: Verdict,
): Promise<void> {
  const startMs = performance.now();
  await fillShop(sql, teamUuid, orders);
  const filledMs = performance.now();
  const { days } = await run<{ days: number }>(['team', 'recount', '--team', teamId]);
  await sql`vacuum analyze`;
  const seconds = (ms: number) => Math.round(ms / 1000);
  notify(
    `${count(orders)} orders of two years are stored in ${seconds(filledMs - startMs)} s, and the sums of ${days} days made in ${seconds(performance.now() - filledMs)} s.\n`,
  );
  const { url } = await run<{ url: string }>(['console', '--team', teamId]);
  const signedIn = await fetch(`${server.url}/console/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: server.url, Cookie: 'orderbeacon_probe=1' },
    body: new URLSearchParams({ token: new URL(url).hash.slice(1) }),
  });
  const headers = { Cookie: signedIn.headers.get('Set-Cookie')!.split(';')[0]! };
  const times = new Map<string, number[]>(Object.keys(pages).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, path] of Object.entries(pages)) {
      for (let look = 0; look < looks; look++) {
        const sentMs = performance.now();
        const response = await fetch(`${server.url}/console/${teamId}${path}`, {
          headers,
          redirect: 'manual',
        });
        await readFirst(response);
        if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
        times.get(name)!.push(performance.now() - sentMs);
      }
    }
  }
  row('pages of the console', 'p50 ms', 'p95 ms', 'first ms');
  for (const [name, list] of times) {
    const [first] = list;
    const sorted = [...list].sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(share * sorted.length)]!;
    row(`  ${name}`, ms(at(0.5)), ms(at(0.95)), ms(first!));
    verdict.figure(`${name}, p95 ms`, at(0.95));
  }
  const worst = Math.max(...Object.keys(pages).map((name) => verdict.figures[`${name}, p95 ms`]!));
  verdict.promise(`p95 of each page below ${p95AtMostMs} ms`, worst < p95AtMostMs, [`${ms(worst)} ms`]);
}

/** Reads the first bytes of an answer, and cancels the rest. */
async function readFirst(response: Response): Promise<void> {
  let bytes = 0;
  for await (const piece of response.body!) {
    bytes += piece.byteLength;
    if (bytes >= firstBytes) break;
  }
}
