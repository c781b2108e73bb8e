import { beforeEach, expect, it } from 'vitest';
import { sumWaiting } from '../src/refused/sql/listRefused.js';
import { encodeId } from '../src/values/ids.js';
import { signIn } from './console.js';
import { createTrigger } from './createTrigger.js';
import { startServerForTest } from './server.js';

let server: Awaited<ReturnType<typeof startServerForTest>>;
let team: Awaited<ReturnType<typeof server.addTeam>>;
let console: Awaited<ReturnType<typeof signIn>>;

beforeEach(async () => {
  // A busy machine may need more than the second after which a report is not kept but answered with 503.
  server = await startServerForTest();
  team = await server.addTeam('shop.example');
  console = await signIn(server, team.teamId);
});

const newHost = { origin: 'https://checkout.shop.example' };

/** Reports something that is refused, and kept. */
async function refuse(order: object, headers = newHost) {
  const sent = { teamId: team.teamId, email: 'ann@buyer.example', amount: 10, ...order };
  const { status } = await server.report(sent, headers);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
}

const orders = () =>
  server.sql<{ order_id: string; amount: string; created_at: Date; is_test: boolean; email: string }[]>`
    select order_id, amount, o.created_at, is_test, email
    from placed_order o join person p on p.team_id = o.team_id and p.id = o.person_id order by order_id`;

/** Presses a button of the console; resolves with the page that the browser is sent to. */
async function press(action: string, fields: Record<string, string>) {
  const formToken = await console.formToken();
  const answer = await console.post(`/console/refused/${action}`, { formToken, ...fields });
  if (answer.status !== 303) return answer;
  return console.get(answer.headers.get('location')!);
}

/** The text of a page without its tags. */
const words = (text: string) =>
  text
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');

const idsOf = (text: string) =>
  [...new Set([...text.matchAll(/\/console\/refused\/(ref_\w{26})/g)])].map(([, id]) => id!);

it('says in a merchant’s words which host is refused, how many orders, how much money, and since when', async () => {
  const empty = words((await console.get('/console/refused')).text);
  expect(empty).toContain('No refused reports need attention.');
  await refuse({ orderId: 'o-1', amount: 1500.2 });
  await refuse({ orderId: 'o-2', amount: 40 });
  await refuse({ orderId: 'o-2', amount: 40 });
  await refuse({ orderId: 'o-3', amount: 7, currency: 'EUR' });
  await refuse({ orderId: 'o-4', amount: 'much' });
  const threeDaysAgo = new Date(Date.now() - 3 * 24 * 60 * 60_000);
  await server.sql`update refused_report set received_at = ${threeDaysAgo}`;
  const text = words((await console.get('/console/refused', { 'accept-language': 'en-US' })).text);
  expect(text).toContain('checkout.shop.example is not among your domains');
  expect(text).toMatch(
    /3 orders, \$1,540\.20, €7\.00 , since (Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? (at )?\d\d:\d\d[^:]/,
  );
  expect(text).toMatch(
    /checkout\.shop\.example: amount is missing or not valid 1 order , since .* no amount can be read/,
  );
  expect(words((await console.get('/console')).text)).toContain('4 refused reports need attention');
});

it('a group and each of its reports lead to the page about their reason', async () => {
  await refuse({ orderId: 'o-1' });
  const list = (await console.get('/console/refused')).text;
  const report = (
    await console.get(
      `/console/refused/${idsOf((await console.get('/console/refused?reason=domain_not_allowed&host=checkout.shop.example')).text)[0]}`,
    )
  ).text;
  for (const text of [list, report]) {
    const [, docs] = /<a href="([^"]+)">About <code>domain_not_allowed<\/code>/.exec(text)!;
    expect(await server.send('GET', docs!)).toMatchObject({ status: 200 });
  }
});

it('allowing the host stores each of its orders once, as of the time when it came, and none of another host', async () => {
  for (let n = 0; n < 70; n++) await refuse({ orderId: `o-${n}`, amount: n });
  await refuse({ orderId: 'other' }, { origin: 'https://other.example' });
  // Without a time zone, on which a Citus cluster lets no update of several rows depend.
  await server.sql`
    update refused_report set received_at = (received_at at time zone 'UTC' - interval '1 d') at time zone 'UTC'`;
  const dates = await server.sql<
    { order_id: string; received_at: Date }[]
  >`select order_id, received_at from refused_report`;
  expect(new Set(dates.map(({ received_at }) => received_at.getTime())).size).toBeGreaterThan(1);
  const { text } = await press('allow', { host: 'checkout.shop.example' });
  expect(words(text)).toContain('70 orders are stored.');
  const stored = await orders();
  expect(stored).toHaveLength(70);
  for (const { order_id, created_at, is_test } of stored) {
    expect([order_id, created_at, is_test]).toEqual([
      order_id,
      dates.find((row) => row.order_id === order_id)!.received_at,
      false,
    ]);
  }
  expect(words(text)).toContain('other.example is not among your domains');
  expect(words(text)).not.toContain('checkout.shop.example');
  expect(
    (await server.report({ teamId: team.teamId, email: 'a@b.example', amount: 1 }, newHost)).status,
  ).toBe(200);

  const again = await press('allow', { host: 'checkout.shop.example' });
  expect(words(again.text)).toContain('Nothing was left to do');
  expect(await orders()).toHaveLength(71);
});

it('a host that is allowed as a test stores tests, and pressing again with another choice changes nothing', async () => {
  await refuse({ orderId: 'o-1' }, { origin: 'http://localhost:3000' });
  expect((await console.get('/console/refused')).text).toMatch(/name="test" value="yes" checked/);
  await press('allow', { host: 'localhost', test: 'yes' });
  await press('allow', { host: 'localhost' });
  expect(await orders()).toMatchObject([{ order_id: 'o-1', is_test: true }]);
  const domains = await server.sql`select entry, is_test from domain where entry = 'localhost'`;
  expect(domains).toMatchObject([{ is_test: true }]);
});

it('a refused report is corrected and stored, and a correction that is refused says why and keeps what was typed', async () => {
  await refuse(
    { orderId: 'o-1', amount: '1.000,00', email: 'ann buyer.example' },
    { origin: 'https://shop.example' },
  );
  const [id] = idsOf(
    (await console.get('/console/refused?reason=invalid_request&host=shop.example&field=amount')).text,
  ).concat(
    idsOf((await console.get('/console/refused?reason=invalid_request&host=shop.example&field=email')).text),
  );
  const page = await console.get(`/console/refused/${id}`);
  expect(page.text).toContain('value="1.000,00"');
  expect(page.text).toContain('value="ann buyer.example"');
  const sent = { id: id!, orderId: 'o-1', currency: '' };

  const noNumber = await press('correct', { ...sent, amount: '10,00', email: 'ann@buyer.example' });
  expect([noNumber.status, words(noNumber.text)]).toEqual([400, expect.stringContaining('1234.50')]);
  expect(noNumber.text).toContain('value="10,00"');
  const noEmail = await press('correct', { ...sent, amount: '1000.5', email: 'ann' });
  expect(noEmail.status).toBe(400);
  expect(words(noEmail.text)).toMatch(/Not stored: a field is not valid\.\s+email\s?: must be/);
  expect(noEmail.text).toContain('value="1000.5"');
  expect(await orders()).toEqual([]);

  const done = await press('correct', { ...sent, amount: '1000.5', email: 'Ann@buyer.example' });
  expect(words(done.text)).toContain('1 order is stored.');
  expect(await orders()).toMatchObject([{ order_id: 'o-1', amount: '1000.5', email: 'ann@buyer.example' }]);
  expect((await console.get(`/console/refused/${id}`)).status).toBe(404);
  expect((await press('correct', { ...sent, amount: '2' })).status).toBe(404);
});

it('what cannot be stored stays in the list with its new reason', async () => {
  await refuse({ orderId: 'o-1', email: 'bob@buyer.example' });
  await server.report({ teamId: team.teamId, email: 'ann@buyer.example', amount: 5, orderId: 'o-1' });
  const { text } = await press('allow', { host: 'checkout.shop.example' });
  expect(words(text)).toContain('1 was refused again, and stays below.');
  expect(words(text)).toContain('the order id belongs to another buyer’s order');
  expect(await orders()).toMatchObject([{ email: 'ann@buyer.example' }]);
});

it('one report or a group is discarded, and what came after its page was made stays', async () => {
  await refuse({ orderId: 'o-1' });
  await refuse({ orderId: 'o-2' });
  const group = { reason: 'domain_not_allowed', host: 'checkout.shop.example', field: '' };
  const page = await console.get(`/console/refused?${new URLSearchParams(group)}`);
  const [id] = idsOf(page.text);
  expect(words((await press('discard', { id: id! })).text)).toContain('1 report is discarded.');
  const until = /name="until" value="([^"]+)"/.exec((await console.get('/console/refused')).text)![1]!;
  await expect.poll(() => Date.now()).toBeGreaterThan(new Date(until).getTime());
  await refuse({ orderId: 'o-3' });
  expect(words((await press('discard', { ...group, until })).text)).toContain('1 report is discarded.');
  expect(await server.sql`select order_id from refused_report`).toMatchObject([{ order_id: 'o-3' }]);
  expect((await press('discard', group)).status).toBe(400);
});

it('lists every report of a group exactly once over its pages', async () => {
  for (let n = 0; n < 120; n++) await refuse({ orderId: `o-${n}` });
  await server.sql`update refused_report set received_at = now() - interval '1 d' where order_id between 'o-30' and 'o-80'`;
  const seen: string[] = [];
  let path: string | undefined =
    '/console/refused?reason=domain_not_allowed&host=checkout.shop.example&field=';
  while (path !== undefined) {
    const { text } = await console.get(path);
    seen.push(...idsOf(text));
    await refuse({ orderId: `late-${seen.length}` });
    path = /<a href="([^"]+)">Older<\/a>/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  expect([seen.length, new Set(seen).size]).toEqual([120, 120]);
});

it('two people who press concurrently store each order once', async () => {
  const other = await signIn(server, team.teamId);
  for (let n = 0; n < 100; n++) await refuse({ orderId: `o-${n}` });
  const tokens = [await console.formToken(), await other.formToken()];
  const answers = await Promise.all(
    [console, other, console].map((person, at) =>
      person.post('/console/refused/allow', {
        formToken: tokens[at % 2]!,
        host: 'checkout.shop.example',
      }),
    ),
  );
  const said = answers.map(({ headers }) => new URL(headers.get('location')!, server.url).searchParams);
  const sum = said.reduce((total, news) => total + Number(news.get('stored')), 0);
  expect([answers.map(({ status }) => status), sum]).toEqual([[303, 303, 303], 100]);
  expect(await orders()).toHaveLength(100);
  expect(await server.sql`select from refused_report`).toHaveLength(0);
});

it('a press that takes too long ends after some seconds and says how many are left', async () => {
  for (let n = 0; n < 100; n++) await refuse({ orderId: `o-${n}` });
  await createTrigger(
    server.sql,
    `create function slow() returns trigger language plpgsql as
      $$ begin perform pg_sleep(0.09); return new; end $$`,
    `create trigger slow before insert on placed_order for each row execute function slow()`,
  );
  const first = words((await press('allow', { host: 'checkout.shop.example' })).text);
  expect(first).toContain('64 orders are stored. 36 are left: press once more.');
  await server.sql`
    create or replace function slow() returns trigger language plpgsql as $$ begin return new; end $$`;
  const group = { reason: 'domain_not_allowed', host: 'checkout.shop.example', field: '' };
  expect(first).toContain('was not among your domains and is now');
  expect(words((await press('store', group)).text)).toContain('36 orders are stored.');
  expect(await orders()).toHaveLength(100);
});

it('no other team’s reports are seen, stored, corrected or discarded', async () => {
  await refuse({ orderId: 'o-1' });
  const [id] = idsOf(
    (await console.get('/console/refused?reason=domain_not_allowed&host=checkout.shop.example')).text,
  );
  const mine = team;
  team = await server.addTeam();
  console = await signIn(server, team.teamId);
  expect(words((await console.get('/console/refused')).text)).not.toContain('checkout');
  expect((await console.get(`/console/refused/${id}`)).status).toBe(404);
  expect((await press('correct', { id: id!, email: 'x@y.example' })).status).toBe(404);
  await press('discard', { id: id! });
  await press('allow', { host: 'checkout.shop.example' });
  expect(await orders()).toEqual([]);
  const kept = await server.sql`select team_id from refused_report`;
  expect(kept).toMatchObject([{ team_id: mine.uuid }]);
});

it('a post of another site, without the form’s token, or with nonsense changes nothing', async () => {
  await refuse({ orderId: 'o-1' });
  const formToken = await console.formToken();
  const fields = { host: 'checkout.shop.example', reason: 'domain_not_allowed', field: '' };
  for (const action of ['allow', 'store', 'correct', 'discard']) {
    const path = `/console/refused/${action}`;
    expect((await console.post(path, fields)).status).toBe(403);
    expect(
      (await console.post(path, { ...fields, formToken }, { origin: 'https://evil.example' })).status,
    ).toBe(403);
  }
  const bad = [
    ['allow', { host: '' }, 400],
    ['allow', { host: 'not a host' }, 400],
    ['allow', { host: 'x'.repeat(5000) }, 400],
    ['store', {}, 400],
    ['correct', { id: 'ref_x' }, 404],
    ['discard', { reason: '\0', until: 'yesterday' }, 400],
  ] as const;
  for (const [action, sent, status] of bad) {
    expect([action, sent, (await press(action, sent)).status]).toEqual([action, sent, status]);
  }
  expect(await server.sql`select from refused_report`).toHaveLength(1);
  expect(await orders()).toEqual([]);
});

it('the setup page has the last refusal of each domain, and the hosts that are none with the way to allow them', async () => {
  await refuse({ orderId: 'o-1' });
  await refuse({ orderId: 'o-2', amount: 'much' }, { origin: 'https://www.shop.example' });
  const { text } = await console.get('/console/setup');
  expect(words(text)).toMatch(
    /shop\.example live none (Today|Yesterday) [\d:]+: www\.shop\.example: the report is not valid/,
  );
  expect(text).toContain('Allow and store orders of checkout.shop.example');
  expect(words(text)).toMatch(
    /Refused, this last hour .*checkout\.shop\.example is not among your domains o-1/,
  );
});

it('the page of one report offers what its group offers, and no button that cannot succeed', async () => {
  await refuse({ orderId: 'host' });
  await refuse({ orderId: 'both', amount: 'much' });
  await refuse({ orderId: 'amount', amount: '49,90 €' }, { origin: 'https://shop.example' });
  await refuse({ orderId: 'hidden' }, { origin: 'null' });
  const ids = await server.sql<{ id: string; order_id: string }[]>`
    select id, order_id from refused_report where team_id = ${team.uuid}`;
  const page = async (orderId: string) => {
    const { id } = ids.find(({ order_id }) => order_id === orderId)!;
    const { text } = await console.get(`/console/refused/${encodeId('ref', id)}`);
    const actions = [...text.matchAll(/action="\/console\/refused\/(\w+)"/g)].map(([, action]) => action);
    return { id: encodeId('ref', id), text, actions };
  };
  expect((await page('host')).actions).toEqual(['allow', 'discard']);
  expect((await page('host')).text).toContain('Allow and store orders of checkout.shop.example');
  expect((await page('both')).actions).toEqual(['allow', 'discard']);
  expect((await page('hidden')).actions).toEqual(['discard']);
  const amount = await page('amount');
  expect(amount.actions).toEqual(['correct', 'discard']);
  expect(amount.text).toContain('value="49.90"');

  await press('allow', { host: 'checkout.shop.example' });
  expect(await orders()).toMatchObject([{ order_id: 'host' }]);
  expect((await page('both')).actions).toEqual(['correct', 'discard']);
  await press('correct', { id: amount.id, amount: '49.90' });
  expect(await orders()).toMatchObject([{ order_id: 'amount', amount: '49.9' }, { order_id: 'host' }]);
});

it('hosts, fields and currencies that strangers make up never make the page long', async () => {
  await server.sql`
    insert into refused_report (team_id, id, identity, reason, field, host, body, is_cut, received_at, last_at, times,
      is_allowed, places, amount, currency)
    select ${team.uuid}::uuid, gen_random_uuid(), 'made up ' || n, 'domain_not_allowed', '',
      case when n <= 600 then 'host-' || n else 'one' end || '.example', '{}', false, now() - interval '1 h',
      now() - n * interval '1 second', 1, false, 1, 1, chr(65 + n % 26) || chr(65 + n % 25) || 'X'
    from generate_series(1, 2200) n`;
  const all = words((await console.get('/console/refused')).text);
  expect(all.match(/is not among your domains/g)).toHaveLength(50);
  expect(all).toContain('host-1.example');
  expect(all).toContain('551 more groups are not shown.');
  const kind = new URLSearchParams({ reason: 'domain_not_allowed', host: 'one.example', field: '' });
  const one = words((await console.get(`/console/refused?${kind}`)).text);
  expect(one).toMatch(/600 orders(, [^,]+){10}, and \d+ other currencies/);
  expect(one).toContain('Discard these 1,600 reports for ever');
  expect(one).not.toContain('host-');
  expect(one).toMatch(/Refused \(1,00\d\+\) · [^·]+ \+ others/);
  expect(await sumWaiting(server.sql, team.uuid)).toHaveLength(2);
});

it('all amounts with a decimal comma, and all missing currencies, are corrected in one go', async () => {
  const shop = { origin: 'https://shop.example' };
  await refuse({ orderId: 'a-1', amount: '49,90' }, shop);
  await refuse({ orderId: 'a-2', amount: '1.250,00' }, shop);
  await refuse({ orderId: 'a-3', amount: '€ 7,5' }, shop);
  await refuse({ orderId: 'c-1', currency: '' }, shop);
  await refuse({ orderId: 'c-2', currency: 'Euro €' }, shop);
  const kind = (field: string) => ({ reason: 'invalid_request', host: 'shop.example', field });
  const list = async (field: string) =>
    (await console.get(`/console/refused?${new URLSearchParams(kind(field))}`)).text;
  expect(await list('amount')).toContain('Store all, with 49,90 as 49.90');
  const amounts = words((await press('correct-all', kind('amount'))).text);
  expect(amounts).toContain('2 orders are stored.');
  expect(amounts).toContain('1 was refused again, and stays below.');
  expect(await list('amount')).not.toContain('Store all');
  expect(await list('currency')).toMatch(/pattern="\[A-Za-z\]\{3,5\}".*Correct and store all/s);
  await press('correct-all', { ...kind('currency'), currency: 'eur' });
  const stored = (await orders()).map(({ order_id, amount }) => `${order_id} ${amount}`);
  expect(stored).toEqual(['a-1 49.9', 'a-3 7.5', 'c-1 10', 'c-2 10']);
});

it('a sentence that begins with an Arabic host is written from left to right', async () => {
  await refuse({ orderId: 'o-1' }, { origin: 'https://xn--mgbh0fb.example' });
  const list = '/console/refused?reason=domain_not_allowed&host=xn--mgbh0fb.example&field=';
  const { text } = await console.get(list);
  const sentence = '<bdi dir="ltr">مثال.example is not among your domains</bdi>';
  expect(text).toContain(sentence);
  const [report] = /\/console\/refused\/ref_\w+/.exec(text)!;
  expect((await console.get(report)).text).toContain(sentence);
});
