// @module-tag all
import { readFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { setUpChromium } from '../harness/engines.ts';
import { recipeExample } from '../harness/examples.ts';
import type { SeenRequest } from '../harness/faults.ts';
import { answerTo, orderNames, setUpShop } from '../harness/shop.ts';
import { canRun, startWebServer, type WebServer } from '../harness/webServer.ts';

const shop = await setUpShop();
const browser = setUpChromium();

const pagesUrl = `http://127.0.0.1:${shop.pages.port}`;
const serverUrl = `http://127.0.0.1:${shop.network.port}`;
/** Returns an example of the recipe with this server's URL. */
const example = (name: string) =>
  recipeExample('own-host', name)
    .replaceAll('team_…', shop.teamId)
    .replaceAll('https://orders.shop.example', serverUrl);

shop.pages.serveText(
  '/assets/track.js',
  'text/javascript',
  readFileSync(new URL('../../sdk/dist/track.js', import.meta.url), 'utf8'),
);
shop.page('/thanks', 'anywhere.html', { head: example('own-path') });

/** Reports through the shop's own host, with the server up, and with the server down and up again. */
async function reportsThrough(port: number): Promise<SeenRequest[]> {
  const names = orderNames(`own host ${port}`, 2);
  const call = (name: string) =>
    `track('order', { email: 'ann@shop.example', amount: 49.9, name: '${name}', orderId: '${name}' })`;
  const tab = await browser.newTab();
  await tab.goto(`http://shop.localhost:${port}/thanks`);
  await tab.run(`document.cookie = 'session=of-the-shop'`);
  expect(await tab.run(`return ${answerTo(call(names[0]!))}`)).toMatchObject({ status: 'delivered' });
  await shop.network.goDown();
  expect(await tab.run(`return ${call(names[1]!)}.then(({ status }) => status)`)).toBe('pending');
  await shop.network.comeUp();
  await shop.expectStoredOnce(names);
  const urls = await tab.run<string[]>(
    `return performance.getEntriesByType('resource').map(({ name }) => name)`,
  );
  expect(urls.filter((url) => !url.startsWith(`http://shop.localhost:${port}/`))).toEqual([]);
  const reports = shop.network.seen.filter(({ name }) => names.includes(name ?? ''));
  expect(new Set(reports.map(({ origin }) => origin))).toEqual(new Set([`http://shop.localhost:${port}`]));
  return reports;
}

it('the script from the shop’s own host reports to the server that the tag names', async () => {
  const [name] = orderNames('own script', 1);
  const tab = await browser.newTab();
  await tab.goto(
    shop.page('/own-script', 'anywhere.html', {
      head: example('own-script').replace(serverUrl, shop.endpoint),
    }),
  );
  const call = `track('order', { email: 'ann@shop.example', amount: 49.9, name: '${name}' })`;
  expect(await tab.run(`return ${answerTo(call)}`)).toMatchObject({ status: 'delivered' });
  await shop.expectStoredOnce([name!]);
});

describe.each<WebServer>(['nginx', 'caddy'])('%s', (kind) => {
  it.skipIf(!canRun(kind))('passes the script and the orders on as the recipe’s lines say', async () => {
    const server = await startWebServer(kind, example(`own-path-${kind}`), pagesUrl);
    onTestFinished(() => server.close());
    const reports = await reportsThrough(server.port);
    expect(reports.filter(({ cookie }) => cookie)).toEqual([]);
  });
});

it('the rules for Next.js name the paths that the tag asks for', async () => {
  const module = `data:text/javascript,${encodeURIComponent(example('own-path-next'))}`;
  const { default: config } = (await import(/* @vite-ignore */ module)) as {
    default: { rewrites(): Promise<{ source: string; destination: string }[]> };
  };
  const [rule] = await config.rewrites();
  const [prefix, target] = [rule!.source, rule!.destination].map((path) => path.replace(':path*', ''));
  expect(rule).toEqual({ source: `${prefix}:path*`, destination: `${target}:path*` });

  // A stand-in for Next.js. It forwards paths that begin like the rule's source, and passes all others on to the shop.
  const next = createServer((request, response) => {
    const { method, url = '', headers } = request;
    const to = url.startsWith(prefix!) ? target + url.slice(prefix!.length) : pagesUrl + url;
    const onward = httpRequest(to, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    }).on('error', () => response.writeHead(500).end('Internal Server Error'));
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => void next.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    next.closeAllConnections();
    next.close();
  });
  await reportsThrough((next.address() as AddressInfo).port);
});
