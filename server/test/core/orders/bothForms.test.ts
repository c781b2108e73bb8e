// @module-tag all
import { expect, inject } from 'vitest';
import { createPlaceStatements } from '../../../src/core/orders/merge/placeStatements.js';
import { discardOrder } from '../../../src/core/orders/store/discardOrder.js';
import { decodeId } from '../../../src/values/ids.js';
import { addTestSource } from '../../features/sources/kit/sources.js';
import { payment, stripeEvent } from '../../features/sources/kit/stripeSamples.js';
import { wooOrder } from '../../features/sources/kit/wooCommerceSamples.js';
import { listenersOf } from '../../kit/listeners.js';
import { createRandom, type Random } from '../../kit/random.js';
import { startTestServer } from '../../kit/server.js';
import { test as base, openShop, type Shop } from '../../kit/shop.js';
import { inDistributedForm } from './distributedForm.js';
import { randomReport } from './randomReport.js';

/** `BOTH_FORMS_SEED` repeats a run. */
const seed = Number(process.env.BOTH_FORMS_SEED ?? Date.now() % 1_000_000_000);

const test = base.extend(
  'distributed',
  { scope: 'file' },
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of what a fixture needs here
  async ({}, { onCleanup }) => {
    const server = await startTestServer({ watching: inDistributedForm });
    onCleanup(server.close);
    return server;
  },
);

/** A shop with its sources, as a server with one form of the statement serves it. */
type Played = Awaited<ReturnType<typeof openPlayed>>;

async function openPlayed(server: Shop['server']) {
  const shop = await openShop(server);
  await shop.addDomain('localhost', { isTest: true });
  const add = (kind: 'stripe' | 'woocommerce', isTest: boolean) =>
    addTestSource(server, shop.team, { kind, isTest });
  const sources = {
    stripe: { live: await add('stripe', false), test: await add('stripe', true) },
    woocommerce: { live: await add('woocommerce', false), test: await add('woocommerce', true) },
  };
  return { ...shop, sources, numbers: [] as string[] };
}

/** One step of a sequence. Resolves with the answer. */
type Step = (shop: Played) => Promise<unknown>;

function randomStep(random: Random): Step {
  const { below, pick } = random;
  const roll = below(20);
  const mode = pick('live', 'live', 'test');
  const orderId = pick('x', 'x', 'y');
  const email = pick('ann@mail.example', 'ann@mail.example', 'bob@mail.example');
  if (roll < 2) {
    const at = below(4);
    return async ({ sql, team, numbers }) => {
      const id = numbers[at] === undefined ? undefined : decodeId('ord', numbers[at]);
      return id && discardOrder(sql, createPlaceStatements(sql, listenersOf(sql)), team, id);
    };
  }
  if (roll < 6) {
    const id = pick('a', 'b', 'c');
    const metadata = pick({}, { orderId }, { orderId });
    const paid = payment({ id: `pi_${id}`, latest_charge: `ch_${id}`, receipt_email: email, metadata });
    return async ({ sources }) =>
      (await sources.stripe[mode].say(stripeEvent('payment_intent.succeeded', paid))).body.data?.outcomes;
  }
  if (roll < 9) {
    const order = wooOrder(1, { number: orderId, order_key: pick('a', 'b'), billing: { email } });
    return async ({ sources }) =>
      (await sources.woocommerce[mode].say(order, 'order.updated')).body.data?.outcomes;
  }
  const { by, isTest, body, headers } = randomReport(random);
  const said = { orderId: undefined, ...body, ...(below(6) === 0 && { orderId: pick('pi_a', 'cs_d') }) };
  return async ({ report, reportByKey, testKey, numbers }) => {
    const { status, body: answer } =
      by === 'page'
        ? await report(said, { ...(isTest && { origin: 'http://localhost:3000' }), ...headers })
        : await reportByKey(said, { headers, ...(isTest && { key: await testKey() }) });
    const { error, data } = answer;
    if (status !== 200) return [status, error.code, error.issues];
    if (data.isNew) numbers.push(data.id);
    const { id, orderNumber, peopleId, createdAt, warnings = [], ...money } = data;
    return [numbers.indexOf(id), money, warnings.map(withoutNumbers)];
  };
}

const withoutNumbers = (value: unknown) => JSON.stringify(value).replace(/ORD-\w{13}/g, 'ORD');

/** Plays steps in a new team. Returns the answers and all rows, without values that differ between teams. */
async function play(server: Shop['server'], steps: Step[]) {
  const shop = await openPlayed(server);
  const answers = [];
  for (const step of steps) answers.push(await step(shop));
  const stored = await shop.stored();
  const at = (id: string | null) => stored.findIndex((order) => order.id === id);
  const rows = stored.map(
    ({ teamId, id, orderNumber, personId, host, createdAt, mergedAt, said, sharesIdWith, ...order }) => ({
      ...order,
      said: JSON.stringify(said ?? {}).replace(/"personId":"[^"]*"/g, ''),
      sharesIdWith: sharesIdWith && at(sharesIdWith),
      keys: order.keys.map((key: string) => key.replace(/^(ord_|ORD-).*/, '$1')),
    }),
  );
  const people =
    await shop.sql`select email, name, name_by_key from person where team_id = ${shop.team} order by email`;
  return { answers, rows, people: [...people] };
}

// A cluster uses only the second form.
for (const [sequences, tag] of [
  [60, 'slow'],
  [400, 'long'],
] as const)
  test.skipIf(inject('isCitus'))(
    `${sequences} random sequences of reports are answered and stored alike by both forms of the statement (BOTH_FORMS_SEED=${seed})`,
    {
      tags: [tag],
    },
    async ({ server, distributed }) => {
      let next = 0;
      await Promise.all(
        Array.from({ length: 4 }, async () => {
          while (next < sequences) {
            const own = seed + next++;
            const random = createRandom(own);
            const steps = Array.from({ length: 4 + random.below(6) }, () => randomStep(random));
            const [local, other] = await Promise.all([play(server, steps), play(distributed, steps)]);
            expect(other, `BOTH_FORMS_SEED=${own}`).toEqual(local);
          }
        }),
      );
    },
  );
