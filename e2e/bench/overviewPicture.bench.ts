import { fileURLToPath } from 'node:url';
import { it } from 'vitest';
import { consoleLink, newTeam, openConsole, setUpPeople } from '../harness/console.ts';
import { sharedOrderbeacon } from '../harness/shared.ts';

const pictures = {
  light: fileURLToPath(new URL('../../.github/overview.png', import.meta.url)),
  dark: fileURLToPath(new URL('../../.github/overview-dark.png', import.meta.url)),
};
const people = setUpPeople();

/** Factors of orders for each day of the week, from Sunday on. */
const week = [0.6, 1, 1.2, 0.9, 1.1, 1.5, 0.8];

const buyers = [
  'Ann Lee',
  'Bo Chen',
  'Carla Ruiz',
  'Dev Patel',
  'Eva Novak',
  'Finn Berg',
  'Grace Kim',
  'Hugo Blanc',
];
const ways = [
  '?utm_source=newsletter,&utm_campaign=spring',
  '?gclid=',
  '?utm_source=instagram,&utm_medium=social',
  '?gclid=',
  '',
  '?utm_source=newsletter,&utm_campaign=tea-week',
  '',
];

const landing = (parameters: string) =>
  Buffer.from(`${Date.now()} undefined ${parameters} /`).toString('base64');

/** Yields a month of orders, the same in each run. There are fewer at night and at the start. */
function* ordersOfMonth() {
  let count = 0;
  for (let hour = 24 * 30; hour > 0; hour--) {
    const at = new Date(Date.now() - hour * 3_600_000);
    const busy =
      Math.max(0, Math.sin(((at.getUTCHours() - 5) / 24) * 2 * Math.PI)) *
      (2.4 - hour / 600) *
      week[at.getUTCDay()]!;
    for (let n = 0; n < Math.round(busy + ((hour * 7919) % 3) / 3); n++) {
      const name = buyers[++count % buyers.length]!;
      yield {
        orderId: `A-${1000 + count}`,
        email: `${name.toLowerCase().replace(' ', '.')}@mail.example`,
        name,
        amount: (1990 + 100 * ((hour * 31 + n * 17) % 90)) / 100,
        currency: 'EUR',
        createdAt: at.toISOString(),
        landings: landing(ways[count % ways.length]!),
      };
    }
  }
}

it('makes the pictures of the README anew, light and dark, from the running product', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const shop = await newTeam(orderbeacon, 'Ann’s tea shop');
  const { key } = await orderbeacon.command<{ key: string }>('key', 'create', '--team', shop.teamId);
  const byKey = (path: string, body: object) =>
    fetch(`${orderbeacon.url}/svc-api/v1/${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ teamId: shop.teamId, ...body }),
    });
  const orders = [...ordersOfMonth()];
  for (const order of orders) await byKey('orders', order);
  for (const { orderId, amount } of orders.filter((_, n) => n % 29 === 0))
    await byKey('orders/refunds', { orderId, refundId: `re-${orderId}`, amount });
  // Only pages have reported the newest orders.
  for (const { orderId, createdAt: _, ...order } of orders.slice(-4))
    await shop.report({ ...order, orderId: `${orderId}-2` });
  await orderbeacon.command('team', 'recount', '--team', shop.teamId);
  for (const colorScheme of ['light', 'dark'] as const) {
    const merchant = await people.newPerson({ viewport: { width: 1280, height: 800 }, colorScheme });
    await openConsole(merchant, await consoleLink(orderbeacon, shop.teamId));
    await merchant.goto(`${orderbeacon.url}/console/${shop.teamId}`);
    // The script of the page has run.
    await merchant.getByText('New orders appear automatically').waitFor();
    await merchant.screenshot({ path: pictures[colorScheme], animations: 'disabled' });
  }
});
