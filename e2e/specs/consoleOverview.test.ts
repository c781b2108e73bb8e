import type { Locator } from 'playwright';
import { expect, it } from 'vitest';
import { newTeam, setUpPeople } from '../harness/console.ts';
import { sharedOrderbeacon } from '../harness/shared.ts';

const people = setUpPeople();

it('a filter applies when it changes and keeps the focus; a custom range has a button for its two days', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { teamId, report } = await newTeam(orderbeacon);
  await report({ orderId: 'o-1' });
  const merchant = await people.newMerchant(orderbeacon, teamId);
  const show = merchant.getByRole('button', { name: 'Show', exact: true });
  /** Waits for what the next page shows, and for its script, without which a filter does not apply. */
  async function seen(shown: Locator) {
    await shown.waitFor();
    await merchant.waitForLoadState();
  }
  expect(await show.isVisible()).toBe(false);
  await merchant.getByLabel('Range').selectOption('7 days');
  await seen(merchant.getByRole('heading', { name: 'Live orders of the last 7 days' }));
  expect(await merchant.evaluate('document.activeElement.name')).toBe('range');
  await merchant.locator('select[name=mode]').selectOption('Test');
  await merchant.getByText('No test orders in the last 7 days').waitFor();

  await merchant.goto(`${orderbeacon.url}/console/orders`);
  await merchant.getByLabel('Range').selectOption('Custom');
  await merchant.getByLabel('From').fill('2024-02-01');
  await merchant.getByLabel('To', { exact: true }).fill('2024-02-29');
  await show.click();
  await seen(merchant.getByText('No orders in this time.'));
  await merchant.getByLabel('Range').selectOption('Any time');
  await seen(merchant.getByRole('link', { name: /^ORD-/ }));
  await merchant.getByLabel('Reported by').selectOption('Backend only');
  await merchant.waitForURL((url) => url.searchParams.get('by') === 'key');
  expect(await merchant.locator('#orders tbody tr').count()).toBe(0);
});

it('going back shows the filters of the page that it leads back to', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { teamId } = await newTeam(orderbeacon);
  const merchant = await people.newMerchant(orderbeacon, teamId);
  for (const path of ['/console', '/console/orders']) {
    await merchant.goto(orderbeacon.url + path);
    const choices = () =>
      merchant
        .locator('form.filters[method=get] select')
        .evaluateAll((all) => all.map((select) => (select as HTMLSelectElement).value));
    const before = await choices();
    await merchant.getByLabel('Range').selectOption('7 days');
    await merchant.waitForURL(/range=7d/);
    await merchant.goBack();
    expect([path, await choices()]).toEqual([path, before]);
  }
});

it('the chart has a legend in words, whole numbers of orders, and a tooltip with the total', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { teamId, report } = await newTeam(orderbeacon);
  for (const orderId of ['o-1', 'o-2']) await report({ orderId });
  const { key } = await orderbeacon.command<{ key: string }>('key', 'create', '--team', teamId);
  const byKey = await fetch(`${orderbeacon.url}/svc-api/v1/orders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ teamId, email: 'bob@buyer.example', amount: 5, orderId: 'o-3' }),
  });
  expect(byKey.status).toBe(200);
  const merchant = await people.newMerchant(orderbeacon, teamId, '/sign-in', { locale: 'de-DE' });
  await merchant.addInitScript(() => {
    const { fillText } = CanvasRenderingContext2D.prototype;
    const drawn: string[] = [];
    Object.assign(window, { drawn });
    CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
      drawn.push(text);
      return fillText.call(this, text, ...place);
    };
  });
  // By day: an hour may end between the orders and the page.
  await merchant.goto(`${orderbeacon.url}/console?range=7d`);
  const chart = merchant.locator('#chart');
  await chart.locator('canvas').waitFor();
  expect(await chart.locator('.legend').innerText()).toMatch(
    /Browser only\s+Backend only\s+Browser and backend/,
  );
  const drawn = await merchant.evaluate<string[]>('drawn');
  expect(drawn.filter((text) => /^[\d.,]+$/.test(text))).toEqual(
    expect.arrayContaining(['0', '1', '2', '3']),
  );
  expect(drawn.filter((text) => /^\d+[.,]\d+$/.test(text))).toEqual([]);

  const over = (await chart.locator('.u-over').boundingBox())!;
  await merchant.mouse.move(over.x + over.width - 10, over.y + over.height / 2);
  expect(await chart.locator('.tip').innerText()).toMatch(
    /^.*\d.*\nTotal: 3\nBrowser only: 2\nBackend only: 1$/,
  );
  await merchant.mouse.move(over.x, over.y - 100);
  expect(await chart.locator('.tip').isVisible()).toBe(false);
});
