import { expect, it } from 'vitest';
import { makeBuckets, makeRange } from '../src/console/range.js';
import { readOrderFigures } from '../src/console/sql/orderFigures.js';
import { addDomain } from '../src/teams/sql/domain.js';
import { newUuid } from '../src/values/ids.js';
import { signIn } from './console.js';
import { startServerForTest } from './server.js';

/** Code of three to five letters for each number. */
const currencyOf = `upper(translate(to_hex(n + 4096) || case when n % 3 = 0 then '' else 'x' end, '0123456789', 'ghijklmnop'))`;

async function start(orders: number) {
  const server = await startServerForTest();
  const { uuid, teamId } = await server.addTeam('shop.example');
  const { sql } = server;
  const person = newUuid();
  await sql`insert into person (team_id, id, email) values (${uuid}, ${person}, 'eve@buyer.example')`;
  // The sums take ids for the order of storing.
  const id = sql`(left(${newUuid()}, 14) || right(gen_random_uuid()::text, 22))::uuid`;
  await sql`
    insert into placed_order (team_id, id, order_number, person_id, amount, currency, source, is_test, reported_by, created_at, host)
    select ${uuid}, ${id}, 'ORD-' || n || '-' || copy, ${person}, 1, ${sql.unsafe(currencyOf)}, 'OTHER', false, 'browser',
      now() - interval '1 second', 'h' || n || '.shop.example'
    from generate_series(1, ${orders}::int) n, generate_series(1, 2) copy`;
  return { ...server, uuid, teamId, ...(await signIn(server, teamId)) };
}

it('3,000 made-up currencies are one line of the overview and of the question before a domain goes, and a key’s has its own', async () => {
  const { sql, uuid, teamId, addKey, reportByKey, get, post, formToken } = await start(3_000);
  const key = await addKey(uuid);
  await reportByKey(key, { teamId, email: 'ann@buyer.example', amount: 49.9, currency: 'EUR' });
  const { status, text } = await get('/console');
  expect(status).toBe(200);
  expect(text).toContain('<dd>€49.90</dd>');
  expect(text.match(/>Money in /g)).toHaveLength(10);
  expect(text).toContain('2,991 other currencies');
  expect(text).toContain('5,982 orders');
  expect(text.length).toBeLessThan(40_000);
  const chosen = await get('/console?show=GXXXX');
  expect([chosen.status, chosen.text.match(/>Money in /g)?.length]).toEqual([200, 12]);
  const here = { now: new Date(), zone: 'UTC' };
  const buckets = makeBuckets(makeRange('30d', here), here);
  const rows = await readOrderFigures(sql, uuid, { buckets, isTest: false, currency: 'USD' });
  expect(rows.length).toBeLessThan(50);
  await sql`update placed_order set host = 'shop.example', created_at = now(), first_touch = '{"source":"news"}'`;
  expect((await get('/console')).text).toMatch(/>news<.*? and other currencies</s);
  const form = { domain: 'shop.example', formToken: await formToken() };
  const asked = await post('/console/domains/remove', form, { 'accept-language': 'en-US' });
  expect(asked.text).toMatch(
    /<strong>6,001 orders, €49\.90(, [^,]+){9}, and 2,991 other currencies<\/strong>/,
  );
});

it('the overview does not claim that there are no test orders where it has looked at the newest 2,000 orders alone', async () => {
  const { sql, get } = await start(1_001);
  await sql`
    update placed_order set is_test = true, created_at = now() - interval '2 hours'
    where order_number in ('ORD-1-1', 'ORD-1-2')`;
  const { text } = await get('/console?mode=test');
  expect(text).toContain('<dt>Orders</dt><dd>2</dd>');
  expect(text).toContain('No test orders among the newest 2,000 orders.');
});

it('hosts that are made up below a wildcard neither hide a domain nor make the overview long', async () => {
  const { sql, uuid, teamId, report, get } = await start(200);
  await addDomain(sql, uuid, { entry: '*.shop.example', isTest: false });
  await report({ teamId, email: 'ann@buyer.example', amount: 1, orderId: 'true' });
  await sql`update placed_order set created_at = now() - interval '3 hours' where order_id = 'true'`;
  const { text } = await get('/console');
  const hosts = [...text.matchAll(/<th scope="row"[^>]*>([^<]*shop\.example)</g)].map(([, host]) => host);
  expect([hosts.length, hosts[0]]).toEqual([20, 'shop.example']);
  const setup = await get('/console/setup');
  expect(setup.text).toMatch(
    /<th scope="row" class="long">shop\.example<\/th><td>live<\/td><td>(Today|Yesterday) \d/,
  );
});
