// @module-tag all
import fc from 'fast-check';
import { expect } from 'vitest';
import { encodeId } from '../../src/values/ids.js';
import { addTestHook, deliveryIdAt } from '../features/webhooks/kit/hooks.js';
import { landing } from '../kit/anOrder.js';
import { unescaped } from '../kit/html.js';
import type { TestServer } from '../kit/server.js';
import { openShop, test } from '../kit/shop.js';

const [begin, end] = ['ouli', 'iluo'];
/** A text for a page or an address. Marks at its beginning and end let the test find it. */
const anyText = fc
  .oneof(
    fc.string({ maxLength: 20 }),
    fc.string({
      unit: fc.constantFrom(...'<>"\'&;=/\\ `', '<!--', '</script', '&lt;', '\u202e'),
      maxLength: 20,
    }),
  )
  .map((text) => `${begin}${text.replaceAll('\0', '')}<"${end}`);

/** Makes a team that has a text in each field of people, shops and receivers. Resolves with all its pages. */
async function pagesWith(server: TestServer, text: string) {
  const shop = await openShop(server);
  const { sql, team, domain, report } = shop;
  await sql`update team set name = ${text} where id = ${team}`;
  const inAddress = encodeURIComponent(text);
  const landings = landing({
    parameters: `?utm_source=${inAddress},&utm_campaign=${inAddress}`,
    path: `/${inAddress}`,
  });
  const items = [{ sku: text, name: text, variant: text, category: text, [text]: text }];
  const order = { orderId: text, name: text, visitorId: text, items, [text]: text };
  const { body } = await report({ ...order, landings });
  await shop.refund({ orderId: body.data.id, refundId: text, amount: 1, reason: text });
  await report({ ...order, email: text, amount: text, currency: text, sdkVersion: text });
  await report({ orderId: { [text]: [text] }, email: [text], amount: { [text]: 1 } });
  await report(order, { origin: 'https://checkout.example' });
  await sql`update api_key set name = ${text} where team_id = ${team}`;
  const hook = await addTestHook(sql, team);
  await sql`
    update hook set disabled_at = now(), disabled_reason = ${text}, url = ${`https://${domain}/${text}`} where id = ${hook}`;
  await sql`
    insert into hook_delivery (team_id, id, hook_id, type, subject_id, data, created_at, next_at, attempts, attempted_at, status, error, answer)
    values (${team}, ${deliveryIdAt(sql, sql`now()`)}, ${hook}, 'order.changed', gen_random_uuid(), ${JSON.stringify(text)}::text::json, now(), now() + interval '1 day', 9, now(), 500, ${text}, ${text})`;
  const { get, submit } = await shop.console();
  const paths = [
    '',
    '?by=campaign',
    '/orders',
    `/orders/${body.data.id}`,
    `/orders?q=${inAddress}`,
    '/refused',
  ];
  paths.push('/webhooks', '/setup/domains', '/setup/keys', `/setup/install?platform=${inAddress}`);
  paths.push(
    `?range=${inAddress}&from=${inAddress}`,
    `/refused?reason=${inAddress}&host=${inAddress}&field=${inAddress}`,
  );
  paths.push(`/webhooks?show=failed&hook=${inAddress}&before=${inAddress}`);
  for (const { id } of await shop.refused()) paths.push(`/refused/${encodeId('ref', id)}`);
  const answers = paths.map(async (path) => [path, await get(`/console${path}`)] as const);
  for (const [path, fields] of Object.entries({
    'setup/domains': { domain: `ftp://${text}` },
    webhooks: { url: text },
    'setup/sources': { kind: 'stripe', secret: text },
    // An address ends at its #.
    'setup/install/check': { address: text.replaceAll('#', '') },
  }))
    answers.push(submit(`/console/${path}`, fields).then((answer) => [path, answer] as const));
  return Promise.all(answers);
}

test('every text that anybody put into any place is text in every page', { tags: ['slow'] }, async ({
  server,
}) => {
  await fc.assert(
    fc.asyncProperty(anyText, async (text) => {
      let seen = 0;
      for (const [path, answer] of await pagesWith(server, text)) {
        expect([path, answer.status < 500]).toEqual([path, true]);
        // A page may cut the text, also within the mark at its end.
        const shown = answer.text.match(new RegExp(`${begin}[^]*?(?:${end}|…|$)`, 'g')) ?? [];
        for (const part of shown) expect([path, part, /[<>"']/.test(part)]).toEqual([path, part, false]);
        seen += shown.filter((part) => unescaped(part) === text).length;
      }
      expect(seen).toBeGreaterThan(30);
    }),
    { numRuns: 4 },
  );
});
