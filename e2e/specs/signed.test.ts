import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { inOneBrowser } from '../harness/engines.ts';
import { answerTo, setUpShop } from '../harness/shop.ts';

const shop = await setUpShop();
const page = shop.page('/thanks', 'confirmation.html');
const { key } = await shop.orderbeacon.command<{ key: string }>(
  'signing-key',
  'create',
  '--team',
  shop.teamId,
);
await shop.orderbeacon.command('team', 'update', '--team', shop.teamId, '--require-signature');

/** The order as the shop's server prints it into its page. */
function signedOrder(orderId: string, more: { amount?: string } = {}) {
  const order = { email: 'Ann@Shop.example', amount: '49.90', currency: 'EUR' };
  const values = [shop.teamId, orderId, order.email, order.amount, order.currency];
  const signature = createHmac('sha256', key).update(values.join('\n')).digest('hex');
  return JSON.stringify({ ...order, orderId, signature, ...more });
}

inOneBrowser((engine, browser) => {
  it('a page that its server has signed is believed, a changed one and an unsigned one are refused', async () => {
    const tab = await browser.newTab();
    await tab.goto(page);
    const track = (orderId: string, order: string) =>
      tab.run<{ status: string; error?: { code: string } }>(
        `return ${answerTo(`report('${orderId}', ${order})`)}`,
      );
    const name = `signed ${engine}`;
    expect(await track(name, signedOrder(name))).toMatchObject({ status: 'delivered' });
    expect(await track('cheap', signedOrder('cheap', { amount: '0.01' }))).toMatchObject({
      status: 'refused',
      error: { code: 'invalid_signature' },
    });
    expect(await track('unsigned', '{}')).toMatchObject({
      status: 'refused',
      error: { code: 'signature_required' },
    });
    const orders = await shop.orderbeacon.orders(shop.teamId);
    expect(orders).toMatchObject([{ orderId: name, amount: 49.9, currency: 'EUR', reportedBy: 'both' }]);
  });
});
