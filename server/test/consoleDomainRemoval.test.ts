import { expect } from 'vitest';
import { type Shop, test } from './shop.js';

const domains = async ({ sql, team }: Shop) =>
  (await sql`select entry, is_test from domain where team_id = ${team} order by 1`).map(
    ({ entry, is_test }) => [entry, is_test],
  );

/** Signs in, to remove domains as the setup page does; `remove` resolves with the page that a press leads to. */
async function openSetup(shop: Shop) {
  const browser = await shop.console();
  const remove = (domain: string, more: Record<string, string> = {}) =>
    browser.press('/console/domains/remove', { domain, ...more });
  return { ...browser, remove };
}

test('removing a domain without orders of today offers Undo, which allows it again as it was, once', async ({
  shop,
}) => {
  // As `domain add --live` allows it; the form of the page would make it a test.
  await shop.addDomain('localhost');
  const { submit, get } = await openSetup(shop);
  const { headers } = await submit('/console/domains/remove', { domain: 'localhost' });
  expect(await domains(shop)).toEqual([[shop.domain, false]]);
  const place = headers.get('location')!;
  const { text } = await get(place);
  expect(text).toContain('Removed localhost');
  const [, proof] = /name="proof" value="([^"]+)"/.exec(text)!;
  const undo = { removed: 'localhost', was: 'live', proof: proof! };
  for (const changed of [{ removed: 'evil.example' }, { was: 'test' }, { proof: 'x' }])
    expect((await submit('/console/domains/restore', { ...undo, ...changed })).status).toBe(400);
  const colleague = await shop.console();
  expect((await colleague.submit('/console/domains/restore', undo)).status).toBe(400);
  expect(await domains(shop)).toHaveLength(1);
  expect((await submit('/console/domains/restore', undo)).status).toBe(303);
  expect(await domains(shop)).toContainEqual(['localhost', false]);
  // The back button leads to that page again.
  expect((await get(place)).text).not.toContain('Removed localhost');
  await shop.addDomain('localhost', { isTest: true });
  await submit('/console/domains/restore', undo);
  expect(await domains(shop)).toContainEqual(['localhost', true]);
});

test('removing a domain whose pages another one includes says that their orders still count', async ({
  shop,
}) => {
  const { domain } = shop;
  for (const entry of [`www.${domain}`, `*.${domain}`]) await shop.addDomain(entry);
  await shop.addDomain(domain, { isTest: true });
  const page = { origin: `https://www.${domain}` };
  await shop.report({}, page);
  const { remove } = await openSetup(shop);
  const still = `still count, as tests, because ${domain} is allowed.`;
  expect(await remove(`www.${domain}`)).toContain(still);
  expect(await remove(`www.${domain}`, { sure: 'yes' })).toContain(
    `Removed www.${domain}. Orders of its pages ${still}`,
  );
  expect((await shop.report({}, page)).body.data.isTest).toBe(true);
  expect(await remove(`*.${domain}`)).toContain('are refused from now on');
});

test('removing a domain with orders of today asks first, and names their number and money', async ({
  shop,
}) => {
  const { domain } = shop;
  for (const entry of [`*.${domain}`, 'old.example']) await shop.addDomain(entry);
  const from = (host: string) => ({ origin: `https://${host}` });
  await shop.report({ amount: 10.1 });
  await shop.report({ amount: 20.2 }, from(`www.${domain}`));
  await shop.report({ amount: 10.1, currency: 'EUR' });
  await shop.report({ amount: 999 }, from(`eu.${domain}`));
  await shop.report({ orderId: 'old' }, from('old.example'));
  await shop.sql`
    update placed_order set created_at = now() - interval '2 d' where team_id = ${shop.team} and order_id = 'old'`;

  const { remove } = await openSetup(shop);
  const asked = await remove(domain);
  expect(asked).toContain(`Remove ${domain}?`);
  expect(asked).toContain('3 orders, $30.30, €10.10');
  expect(await remove('old.example')).toContain('Removed old.example');
  expect(await domains(shop)).toHaveLength(2);
  expect(await remove(domain, { sure: 'yes' })).toContain(`Removed ${domain}`);
  expect(await domains(shop)).toEqual([[`*.${domain}`, false]]);
  expect(await remove(domain)).not.toContain('Removed');
});
