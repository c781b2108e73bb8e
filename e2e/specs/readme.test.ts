import { expect, it } from 'vitest';
import { setUpChromium } from '../harness/engines.ts';
import { exampleOf, readmeExample } from '../harness/examples.ts';
import { setUpShop } from '../harness/shop.ts';

const { orderbeacon, pages, teamId } = await setUpShop();
const browser = setUpChromium();

/** Fills an example with the reader's own team and server. */
const ownValues = (html: string) =>
  html.replaceAll('team_…', teamId).replaceAll('https://orders.shop.example', orderbeacon.url);

/** Fills code with a buyer, as the reader's shop does. */
const filledIn = (html: string) => html.replaceAll('ann@shop.example', 'ann@buyer.example');

/** The piece for the confirmation page, and the stub in it. */
const confirmation = exampleOf('sdk/guides/tag.md', 'confirmation');
const stub = confirmation.split('\n')[1]!;

/** Runs a command of the README with the reader's own team. */
const run = (example: string) =>
  orderbeacon.command<never[]>(
    ...readmeExample(example)
      .replace('node_modules/.bin/orderbeacon ', '')
      .replace('team_…', teamId)
      .split(' '),
  );

it('a merchant who pastes both pieces and allows the domain finds the order, with the visitor of the first page', async () => {
  const head = ownValues(readmeExample('every-page'));
  pages.serve('/', 'anywhere.html', { head });
  pages.serve('/thanks', 'anywhere.html', {
    head,
    body: `<script>${stub}</script>${filledIn(readmeExample('order'))}`,
  });
  await orderbeacon.command('domain', 'add', '--team', teamId, '--test', 'localhost');
  await orderbeacon.command('domain', 'add', '--team', teamId, 'shop.example');
  const tab = await browser.newTab();
  await tab.goto(`http://localhost:${pages.port}/`);
  await expect.poll(() => tab.run('return window.track?.visitorId()')).toBeTruthy();
  const visitorId = await tab.run('return track.visitorId()');
  await tab.goto(`http://localhost:${pages.port}/thanks`);
  await expect.poll(() => run('list')).toHaveLength(1);
  expect(await run('list')).toMatchObject([
    {
      orderId: '1001',
      email: 'ann@buyer.example',
      amount: 49.9,
      currency: 'USD',
      visitorId,
      reportedBy: 'browser',
      isTest: true,
    },
  ]);

  const { url } = (await run('console')) as unknown as { url: string };
  const { pathname, hash } = new URL(url);
  await tab.goto(orderbeacon.url + pathname + hash);
  await expect.poll(() => tab.run<string>('return location.pathname')).toMatch(/^\/console\/team_/);
  await tab.goto(`${orderbeacon.url}/console/orders?mode=test`);
  expect(await tab.run<string>("return document.getElementById('orders').innerText")).toContain(
    'ann@buyer.example',
  );
});

it('the README’s command makes a team with its domain, and prints a link and the HTML', async () => {
  const [, ...args] = readmeExample('team').match(/"[^"]*"|\S+/g)!;
  const team = await orderbeacon.command<Record<string, unknown>>(
    ...args.map((arg) => arg.replaceAll('"', '')),
  );
  expect(team).toMatchObject({
    name: 'My shop',
    domains: [expect.objectContaining({ domain: 'shop.example' })],
  });
  expect(JSON.stringify(team)).toMatch(/track\.js.*sign-in#|sign-in#.*track\.js/s);
});

it('the command prints the very pieces that the README and the guide have', async () => {
  const { everyPage, confirmationPage, html } = await orderbeacon.command<Record<string, string>>(
    'tag',
    '--team',
    teamId,
  );
  expect(everyPage).toMatch(
    /^<script async src="http:\/\/\S+\/sdk\/track.js" data-team-id="team_\w+" data-endpoint="http:\/\/\S+"><\/script>$/,
  );
  expect(confirmationPage).toBe(confirmation);
  expect(html).toContain(everyPage);
  expect(html).toContain(confirmationPage);
});

it('two tags with names of their own each report to their own team', async () => {
  const second = (await orderbeacon.command<{ id: string }>('team', 'create', '--name', 'Second')).id;
  await orderbeacon.command('domain', 'add', '--team', second, 'shop.localhost');
  const head = ownValues(exampleOf('sdk/guides/tag.md', 'two-teams')).replace('team_of_the_second', second);
  const own = confirmation.replaceAll('1001', 'two-teams');
  const body = own + own.replace('"track"', '"trackSecond"').replace("track('order'", "trackSecond('order'");
  pages.serve('/two-teams', 'anywhere.html', { head, body });
  await (await browser.newTab()).goto(`http://shop.localhost:${pages.port}/two-teams`);
  for (const team of [teamId, second]) {
    await expect
      .poll(async () => (await orderbeacon.orders(team)).filter(({ orderId }) => orderId === 'two-teams'))
      .toHaveLength(1);
  }
});
