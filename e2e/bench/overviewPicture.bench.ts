import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { it, onTestFinished } from 'vitest';
import { consoleLink, newTeam, openConsole, setUpPeople } from '../harness/console.ts';
import { sharedOrderbeacon } from '../harness/shared.ts';

const picture = fileURLToPath(new URL('../../.github/overview.png', import.meta.url));
const people = setUpPeople();

/** Orders of each day of the week against the average, from Sunday on. */
const week = [0.6, 1, 1.2, 0.9, 1.1, 1.5, 0.8];

/** A month of orders as a shop's export: fewer at night and at the start, the same in each run. */
function exportOfMonth(): string {
  const rows: string[] = ['orderId,email,amount,currency,createdAt,name'];
  for (let hour = 24 * 30; hour > 3; hour--) {
    const at = new Date(Date.now() - hour * 3_600_000);
    const busy =
      Math.max(0, Math.sin(((at.getUTCHours() - 5) / 24) * 2 * Math.PI)) *
      (2.4 - hour / 600) *
      week[at.getUTCDay()]!;
    for (let n = 0; n < Math.round(busy + ((hour * 7919) % 3) / 3); n++) {
      const amount = (19.9 + ((hour * 31 + n * 17) % 90)).toFixed(2);
      rows.push(`${10_000 - hour}-${n},buyer${hour % 97}@mail.example,${amount},EUR,${at.toISOString()},Ann`);
    }
  }
  return rows.join('\n');
}

const landing = (parameters: string) =>
  Buffer.from(`${Date.now()} undefined ${parameters} /`).toString('base64');

it('makes the picture of the README anew, from the running product', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const shop = await newTeam(orderbeacon, 'Ann’s tea shop');
  const folder = mkdtempSync(join(tmpdir(), 'orderbeacon-picture-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'orders.csv'), exportOfMonth());
  // Ends with 1, because orders were missing; then they are stored.
  await orderbeacon
    .command('order', 'compare', '--team', shop.teamId, join(folder, 'orders.csv'), '--store')
    .catch(() => {});
  const ways = [
    '?utm_source=newsletter,&utm_campaign=spring',
    '?gclid=',
    '?utm_source=instagram,&utm_medium=social',
  ];
  for (let n = 0; n < 12; n++) {
    const rest = { amount: 24.9 + n, currency: 'EUR', name: 'Ann Lee' };
    await shop.report({ orderId: `10-${n}`, ...rest, landings: landing(ways[n % 3]!) });
  }
  await shop.reportRefused({ orderId: '10-99', currency: 'EUR' });
  const merchant = await people.newPerson({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
  await openConsole(merchant, await consoleLink(orderbeacon, shop.teamId));
  await merchant.goto(`${orderbeacon.url}/console/${shop.teamId}`);
  await merchant.screenshot({ path: picture, animations: 'disabled' });
});
