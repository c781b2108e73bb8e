import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { it } from 'vitest';
import { launch } from '../browsers/launch.ts';
import { openShop, orderNames } from '../harness/shop.ts';

const trials = 20;
const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!;

it('prints the bytes of the SDK, and its way from track() to receipt against a bare beacon', async () => {
  const script = readFileSync(fileURLToPath(new URL('../../sdk/dist/track.js', import.meta.url)));
  const shop = await openShop();
  shop.network.roundTripMs = 100;
  const browser = await launch('chromium');
  const page = shop.page('/thanks', 'confirmation.html');
  const [byTrack, byBeacon, evaluation, calls, crowdedCalls]: number[][] = [[], [], [], [], []];

  /** Measures the milliseconds from the call in the page until the request has passed a network of 100 ms. */
  const receipt = async (call: string): Promise<number> => {
    const tab = await browser.newTab();
    await tab.goto(page);
    const before = shop.network.seen.length;
    const calledMs = await tab.run<number>(`const at = Date.now(); ${call}; return at`);
    while (!shop.network.seen[before]?.arrivedMs) await new Promise((resolve) => setTimeout(resolve, 5));
    const seenMs = shop.network.seen[before]!.arrivedMs!;
    await tab.close();
    return seenMs - calledMs;
  };

  /** Measures the milliseconds for which one call of track() blocks the page's thread. The shop's localStorage has data, too. */
  const callMs = async (name: string, megabytes: number): Promise<number> => {
    const tab = await browser.newTab();
    await tab.goto(page);
    const took = await tab.run<number>(`
      for (let n = 0; n < ${megabytes * 10}; n++) localStorage['shop' + n] = 'x'.repeat(100_000);
      const order = { email: 'ann@shop.example', amount: 49.9, name: '${name}', orderId: '${name} ${megabytes}' };
      const from = performance.now(); const sent = track('order', order); const took = performance.now() - from;
      await sent; localStorage.clear(); return took`);
    await tab.close();
    return took;
  };

  for (const name of orderNames('bench', trials)) {
    const order = `{ email: 'ann@shop.example', amount: 49.9, name: ${JSON.stringify(name)}, orderId: ${JSON.stringify(name)} }`;
    byTrack!.push(await receipt(`void track('order', ${order})`));
    const body = `JSON.stringify({ teamId: '${shop.teamId}', reportId: '${name}', visitorId: 'v', ...${order} })`;
    byBeacon!.push(await receipt(`navigator.sendBeacon('${shop.endpoint}/svc-api/v1/orders', ${body})`));
    const tab = await browser.newTab();
    await tab.goto(`${shop.origin}/elsewhere`);
    // A tag in the page gives the script its team. The text is compiled and run as the browser would do it.
    evaluation!.push(
      await tab.run<number>(`const tag = document.createElement('script');
        tag.type = 'text/plain'; tag.src = '${shop.endpoint}/sdk/track.js'; tag.dataset.teamId = '${shop.teamId}';
        document.head.append(tag);
        const text = ${JSON.stringify(script.toString())};
        const from = performance.now(); (0, eval)(text); return performance.now() - from`),
    );
    await tab.close();
    calls!.push(await callMs(name, 0));
    crowdedCalls!.push(await callMs(name, 4.5));
  }
  const [track, beacon] = [median(byTrack!), median(byBeacon!)];
  process.stdout.write(`
SDK, medians of ${trials} trials in turn, Chromium, cold pages
track.js                     ${script.length} bytes, ${gzipSync(script, { level: 9 }).length} gzip, ${brotliCompressSync(script).length} brotli
track() to receipt           ${track.toFixed(1)} ms, a bare beacon ${beacon.toFixed(1)} ms: ratio ${(track / beacon).toFixed(2)}
evaluation of the script     ${median(evaluation!).toFixed(2)} ms
a call of track()            ${median(calls!).toFixed(2)} ms, beside 4.5 MB of the shop's own localStorage ${median(crowdedCalls!).toFixed(2)} ms
`);
  await browser.close();
  await shop.close();
});
