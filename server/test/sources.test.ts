import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeSource } from '../src/sources/addSource.js';
import { sourceKinds } from '../src/sources/source.js';
import { startTestServer } from './server.js';
import { addTestSource, signers } from './sources.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const odd = '{"what":"is this"}';
const topics = { stripe: '', shopify: 'orders/paid', woocommerce: 'order.updated' };

async function kept(teamUuid: string) {
  return server.sql<{ body: string; reason: string }[]>`
    select body, reason from refused_report where team_id = ${teamUuid} order by received_at, id`;
}

describe.each(sourceKinds)('a source of %s', (kind) => {
  it('keeps what is signed and cannot be mapped as it was sent, and answers 200', async () => {
    const { uuid } = await server.addTeam();
    const source = await addTestSource(server, uuid, { kind });
    const answer = await source.say(odd, topics[kind]);
    expect([answer.status, answer.body]).toEqual([200, { success: true, data: { outcomes: ['kept'] } }]);
    expect(await kept(uuid)).toEqual([{ body: odd, reason: 'invalid_request' }]);
  });

  it('answers 401 to what is not signed with its secret, and keeps nothing', async () => {
    const { uuid } = await server.addTeam();
    const source = await addTestSource(server, uuid, { kind });
    const other = await addTestSource(server, uuid, { kind, secret: 'whsec_of_another_source' });
    const answers = [
      await source.post(odd, {}),
      await source.post(odd, signers[kind](odd, 'whsec_of_another_source', '')),
      await source.post(`${odd} `, signers[kind](odd, 'whsec_of_a_test', '')),
      await other.post(odd, signers[kind](odd, 'whsec_of_a_test', '')),
    ];
    expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual(
      Array(4).fill([401, 'invalid_signature']),
    );
    expect(await kept(uuid)).toEqual([]);
  });

  it('answers 404 once it is removed, and before it exists', async () => {
    const { uuid } = await server.addTeam();
    const source = await addTestSource(server, uuid, { kind });
    expect((await source.say(odd)).status).toBe(200);
    await removeSource(server.sql, uuid, source.id);
    expect((await source.say(odd)).status).toBe(404);
    const unknown = await server.send('POST', `${source.path.slice(0, -1)}-`, { body: odd });
    expect(unknown.status).toBe(404);
  });
});

it('a source without a secret accepts nothing', async () => {
  const { uuid } = await server.addTeam();
  const source = await addTestSource(server, uuid, { kind: 'stripe', secret: null });
  expect((await source.say(odd)).status).toBe(401);
});

it('the unsigned ping of WooCommerce is answered with 200, and that of nobody else', async () => {
  const { uuid } = await server.addTeam();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const woo = await addTestSource(server, uuid, { kind: 'woocommerce' });
  const stripe = await addTestSource(server, uuid, { kind: 'stripe' });
  expect((await woo.post('webhook_id=7', headers)).status).toBe(200);
  expect((await woo.post('webhook_id=7&x=1', headers)).status).toBe(401);
  expect((await stripe.post('webhook_id=7', headers)).status).toBe(401);
  expect(await kept(uuid)).toEqual([]);
});
