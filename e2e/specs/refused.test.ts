import { expect, it, onTestFinished } from 'vitest';
import {
  consoleLink,
  createClock,
  follow,
  newTeam,
  openConsole,
  setUpPeople,
  watchTroubles,
} from '../harness/console.ts';
import { startOrderbeacon } from '../harness/orderbeacon.ts';
import { startPageServer } from '../harness/pages.ts';
import { sharedOrderbeacon, startOwnOrderbeacon } from '../harness/shared.ts';
import { stub } from '../harness/stub.ts';

const people = setUpPeople();
const dayMs = 24 * 60 * 60_000;

it('30 orders of a host that nobody allowed are stored a day later by one press, once each, as of their time', async () => {
  const clock = createClock();
  const [orderbeacon, pages] = await Promise.all([startOrderbeacon(clock.env), startPageServer()]);
  onTestFinished(async () => {
    await orderbeacon.close();
    await pages.close();
  });
  const { teamId } = await newTeam(orderbeacon);
  pages.serve('/thanks', 'confirmation.html', { teamId, endpoint: orderbeacon.url, stub });
  const thanks = `http://checkout.localhost:${pages.port}/thanks`;

  const startedMs = Date.now();
  const orderIds = Array.from({ length: 30 }, (_, n) => `o-${n}`);
  // Each of them places five orders, and every third has no network while they do.
  const buyers = await Promise.all(Array.from({ length: 6 }, () => people.newPerson()));
  const isOffline = (n: number) => n % 3 === 0;
  const answers: number[] = [];
  for (const [n, buyer] of buyers.entries()) {
    buyer.on('response', (response) => {
      if (response.url().endsWith('/svc-api/v1/orders')) answers.push(response.status());
    });
    await buyer.goto(thanks);
    await buyer.context().setOffline(isOffline(n));
  }
  for (const [n, orderId] of orderIds.entries()) {
    const result = await buyers[n % buyers.length]!.evaluate(
      `report('Buyer ${n}', { email: 'buyer${n}@buyer.example', amount: 51.34, orderId: '${orderId}' })
        .then(async ({ status, final }) => ${isOffline(n)} ? status : ((await final)?.status ?? status))`,
    );
    expect(result).toBe(isOffline(n) ? 'pending' : 'refused');
  }
  for (const buyer of buyers.filter((_, n) => isOffline(n))) await buyer.context().setOffline(false);
  // A busy server says 503 first, and is asked again.
  await expect.poll(() => answers.filter((status) => status === 403)).toHaveLength(orderIds.length);
  const endedMs = Date.now();
  expect(await orderbeacon.orders(teamId)).toEqual([]);

  clock.advance(dayMs);
  const merchant = await people.newPerson();
  await openConsole(merchant, await consoleLink(orderbeacon, teamId));
  await follow(merchant.getByRole('link', { name: '30 refused reports need attention' }));
  const group = merchant.locator('article');
  expect(await group.count()).toBe(1);
  expect(await group.innerText()).toMatch(
    /^checkout\.localhost is not among your domains\s+30 orders, \$1,540\.20, since \w+day/,
  );
  await group.getByLabel('Its orders are tests').uncheck();
  await group.getByRole('button', { name: 'Allow and store' }).click();
  await merchant.getByText('30 orders are stored.').waitFor();
  await merchant.getByText('No refused reports need attention.').waitFor();

  // A buyer comes back, whose browser has kept the order and sends it again.
  const returning = buyers[1]!;
  await returning.clock.setSystemTime(Date.now() + dayMs);
  const answer = returning.waitForResponse((response) => response.url().endsWith('/svc-api/v1/orders'));
  await returning.goto(thanks);
  expect(await (await answer).json()).toMatchObject({ success: true, data: { isNew: false } });

  const orders = await orderbeacon.orders(teamId);
  expect(orders.map(({ orderId }) => orderId).sort()).toEqual([...orderIds].sort());
  for (const [n, orderId] of orderIds.entries()) {
    const stored = orders.find((order) => order.orderId === orderId)!;
    expect(stored).toMatchObject({
      email: `buyer${n}@buyer.example`,
      amount: 51.34,
      isTest: false,
      reportedBy: 'browser',
    });
    expect(stored.visitorId).toMatch(/\S/);
    const createdMs = new Date(stored.createdAt).getTime();
    expect([createdMs >= startedMs, createdMs <= endedMs]).toEqual([true, true]);
  }
  await follow(merchant.getByRole('link', { name: 'Orders', exact: true }));
  expect(await merchant.locator('#orders tbody tr').count()).toBe(30);
});

it('a refused report appears by itself where somebody tries their page, and its host is allowed right there', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { teamId, reportRefused } = await newTeam(orderbeacon);
  const merchant = await people.newPerson();
  await openConsole(merchant, await consoleLink(orderbeacon, teamId));
  const orders = await merchant.context().newPage();
  for (const [page, path] of [
    [merchant, '/console/setup'],
    [orders, '/console/orders'],
  ] as const) {
    await page.goto(orderbeacon.url + path);
    await page.getByText('New orders appear here by themselves.').waitFor();
    expect(await page.locator('#refused-now').isVisible()).toBe(false);
  }
  await reportRefused({ orderId: 'try-1' });
  await orders.locator('#refused tbody tr').filter({ hasText: 'try-1' }).waitFor();
  const row = merchant.locator('#refused tbody tr').filter({ hasText: 'try-1' });
  await row.waitFor();
  expect(await row.innerText()).toContain('checkout.example is not among your domains');
  await merchant.reload();
  await merchant.getByRole('button', { name: 'Allow and store orders of checkout.example' }).click();
  await merchant.getByText('1 order is stored.').waitFor();
  await orders.locator('#orders tbody tr').filter({ hasText: 'try-1' }).waitFor();
  expect(await orderbeacon.orders(teamId)).toMatchObject([{ orderId: 'try-1', isTest: false }]);
});

it('without JavaScript refused reports are seen, corrected, stored and discarded', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { teamId, reportRefused } = await newTeam(orderbeacon);
  for (const orderId of ['a-1', 'a-2', 'a-3']) await reportRefused({ orderId });
  await reportRefused({ orderId: 'b-1', amount: '1.000,50' }, 'https://shop.example');
  await reportRefused({ orderId: 'c-1' }, 'https://stranger.example');
  const merchant = await people.newPerson({ javaScriptEnabled: false });
  const link = await consoleLink(orderbeacon, teamId);
  await merchant.goto(link);
  await merchant.getByLabel('paste it here').fill(link);
  await merchant.getByRole('button', { name: 'Sign in' }).click();
  await merchant.getByRole('link', { name: '5 refused reports need attention' }).click();
  const group = (text: string) => merchant.locator('article').filter({ hasText: text });

  await follow(group('checkout.example').getByText('See each one'));
  expect(await merchant.locator('tbody tr').count()).toBe(3);
  await follow(group('checkout.example').getByRole('button', { name: 'Allow and store' }));
  expect(await merchant.getByRole('status').innerText()).toBe('3 orders are stored.');

  await group('amount').getByText('See each one').click();
  await merchant.locator('tbody a').click();
  await merchant.getByLabel('Amount').fill('a thousand');
  await follow(merchant.getByRole('button', { name: 'Store' }));
  expect(await merchant.getByRole('alert').innerText()).toContain('Not stored');
  await merchant.getByLabel('Amount').fill('1000.50');
  await follow(merchant.getByRole('button', { name: 'Store' }));
  expect(await merchant.getByRole('status').innerText()).toBe('1 order is stored.');

  await group('stranger.example').getByText('Discard', { exact: true }).click();
  await follow(group('stranger.example').getByRole('button', { name: 'Discard this report for ever' }));
  expect(await merchant.getByRole('status').innerText()).toBe('1 report is discarded.');
  expect(await merchant.getByText('No refused reports need attention.').isVisible()).toBe(true);
  const orders = await orderbeacon.orders(teamId);
  expect(orders.map(({ orderId, amount }) => [orderId, amount]).sort()).toEqual([
    ['a-1', 49.9],
    ['a-2', 49.9],
    ['a-3', 49.9],
    ['b-1', 1000.5],
  ]);
});

it('what one server refuses another one shows and stores, and two people who press concurrently on both store each order once', async () => {
  const first = await startOwnOrderbeacon();
  onTestFinished(() => first.close());
  const second = await startOwnOrderbeacon({ ORDERBEACON_DATA_DIR: first.running.env.ORDERBEACON_DATA_DIR! });
  onTestFinished(() => second.close());
  const { teamId, reportRefused } = await newTeam(first);
  for (let n = 0; n < 100; n++) await reportRefused({ orderId: `o-${n}` }, undefined, first.url);
  await reportRefused({ orderId: 'late', amount: 'x' }, undefined, second.url);
  const [ann, bob] = [await people.newPerson(), await people.newPerson()];
  for (const [person, { url }] of [
    [ann, first],
    [bob, second],
  ] as const) {
    await openConsole(person, await consoleLink(first, teamId, url));
    await person.goto(`${url}/console/refused`);
    expect(await person.locator('article').count()).toBe(2);
  }
  const press = (person: typeof ann) =>
    person
      .locator('article')
      .filter({ hasText: 'is not among' })
      .getByRole('button', { name: 'Allow and store' })
      .click();
  await Promise.all([press(ann), press(bob)]);
  for (const person of [ann, bob]) await person.getByRole('status').waitFor();
  const orders = await first.orders(teamId);
  expect(new Set(orders.map(({ orderId }) => orderId)).size).toBe(100);
  expect(orders).toHaveLength(100);
  for (const person of [ann, bob]) {
    await person.reload();
    expect(await person.locator('article').allInnerTexts()).toEqual([expect.stringContaining('amount')]);
  }
});

it('no text in any field of a refused report runs, loads or breaks anything', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { teamId, reportRefused } = await newTeam(orderbeacon);
  const merchant = await people.newPerson();
  const troubles = watchTroubles(merchant, orderbeacon.url, '400');
  await openConsole(merchant, await consoleLink(orderbeacon, teamId));
  await merchant.goto(`${orderbeacon.url}/console/setup`);
  await merchant.getByText('New orders appear here by themselves.').waitFor();

  const evil = `"'></pre></script><script>window.pwned=1</script><img src=//evil.example onerror="window.pwned=1">\u202e`;
  const wide = 'W'.repeat(5000);
  const fields = { name: evil, source: evil, visitorId: evil, items: [evil, { [evil]: wide }], [evil]: evil };
  const host = `https://${'x'.repeat(63)}.${'y'.repeat(63)}.${'z'.repeat(63)}.example`;
  await reportRefused({ ...fields, orderId: `${evil}1`, email: evil, amount: evil, currency: evil }, host);
  await reportRefused(
    { ...fields, orderId: wide, email: wide, amount: wide, currency: wide, sdkVersion: evil },
    host,
  );
  await reportRefused(
    { orderId: { [evil]: [evil] }, email: [evil], amount: { [wide]: 1 } },
    'https://xn--8ws78f.example',
  );
  await reportRefused(
    { amount: 1e308, currency: 'ZZZ', email: 'x@y.example', orderId: '=1+1', name: evil },
    host,
  );
  await merchant.locator('#refused tbody tr').nth(3).waitFor();

  const look = async (path: string) => {
    const overflow = await merchant.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect([path, await merchant.evaluate('window.pwned'), troubles, overflow]).toEqual([
      path,
      undefined,
      [],
      0,
    ]);
  };
  await look('live');
  await merchant.goto(`${orderbeacon.url}/console/refused`);
  await look('groups');
  await merchant.goto(`${orderbeacon.url}/console/setup`);
  await merchant.getByLabel('Allow a domain').fill(new URL(host).hostname);
  await follow(merchant.getByRole('button', { name: 'Allow', exact: true }));
  await merchant.goto(`${orderbeacon.url}/console/refused`);
  await look('groups with a domain');
  let tried = 0;
  const lists = await merchant
    .getByText('See each one')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')!));
  for (const list of lists) {
    await merchant.goto(orderbeacon.url + list);
    await look(list);
    const reports = await merchant
      .locator('tbody a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')!));
    expect(reports.length).toBeGreaterThan(0);
    for (const report of reports) {
      await merchant.goto(orderbeacon.url + report);
      await look(report);
      const store = merchant.getByRole('button', { name: 'Store', exact: true });
      if ((await store.count()) === 0) continue;
      await store.click();
      await merchant.locator('[role=alert], [role=status]').first().waitFor();
      await merchant.waitForLoadState();
      await look(`${report} tried`);
      tried++;
    }
  }
  expect(tried).toBe(3);
  for (const path of ['/console/setup', '/console/orders', '/console']) {
    await merchant.goto(orderbeacon.url + path);
    await look(path);
  }
  await merchant.goto(
    `${orderbeacon.url}/console/refused?${new URLSearchParams({ reason: evil, host: evil, field: evil, before: evil, stored: evil })}`,
  );
  await look('address');
});
