import { expect } from 'vitest';
import type { SourceKind } from '../../../../src/features/sources/source.js';
import { addTestSource, type TestSource } from '../../../features/sources/kit/sources.js';
import { stripeEvent } from '../../../features/sources/kit/stripeSamples.js';
import type { TestServer } from '../../../kit/server.js';
import { settle } from '../../../kit/settle.js';
import { openShop } from '../../../kit/shop.js';

/** Time of the first event. The page's report of a test is of the same hour. */
const startS = Math.floor(Date.now() / 1_000) - 3_600;

/** Opens a new team. Each function sends one message of a shop system, a page or a backend. */
export async function openShopkeeper(server: TestServer) {
  const shop = await openShop(server);
  const sources = new Map<SourceKind, Promise<TestSource>>();
  const sourceOf = (kind: SourceKind) => {
    const source = sources.get(kind) ?? addTestSource(server, shop.team, { kind });
    sources.set(kind, source);
    return source;
  };
  const say = async (kind: SourceKind, payload: unknown, topic = '') => {
    const { status, body } = await (await sourceOf(kind)).say(payload, topic);
    expect(status).toBe(200);
    return body.data.outcomes as string[];
  };
  return {
    ...shop,
    sourceOf,
    woo: (payload: unknown) => say('woocommerce', payload, 'order.updated'),
    /** Sends an event of Stripe. `seconds` is its time after the first event. */
    stripe: (type: string, object: Record<string, unknown>, seconds = 0) => {
      const created = startS + seconds;
      return say('stripe', stripeEvent(type, { ...object, created }, { created }));
    },
    settle: () => settle(shop.sql, shop.team),
    /** Lists the orders, the oldest first: their number, buyer, amount and refunded money. */
    async counted() {
      await settle(shop.sql, shop.team);
      const rows = await shop.sql<
        {
          id: string;
          orderId: string | null;
          email: string | null;
          amount: number;
          refunded: number;
          currency: string;
        }[]
      >`
        select o.id, order_id as "orderId", email, amount::float8 as amount, o.currency, coalesce((
          select sum(counts) from refund where refund.team_id = o.team_id and placed_order_id = o.id
        ), 0)::float8 as refunded
        from placed_order o left join person p on p.team_id = o.team_id and p.id = o.person_id
        where o.team_id = ${shop.team} order by amount, o.id`;
      return rows.map(({ orderId, email, amount, refunded }) => [orderId, email, amount, refunded]);
    },
  };
}

export type Shopkeeper = Awaited<ReturnType<typeof openShopkeeper>>;

/** One message of a test. */
export type Step = (shop: Shopkeeper) => Promise<unknown>;

/** Lists every order of some things. */
function permutations<Thing>(things: readonly Thing[]): Thing[][] {
  if (things.length === 0) return [[]];
  return things.flatMap((thing, at) => permutations(things.toSpliced(at, 1)).map((rest) => [thing, ...rest]));
}

/** Expects the same orders in every order of arrival, and returns one of the shops. */
export async function expectInEveryOrder(server: TestServer, steps: readonly Step[], orders: unknown[]) {
  for (const sequence of permutations(steps.map((_, at) => at))) {
    const shop = await openShopkeeper(server);
    for (const at of sequence) await steps[at]!(shop);
    expect([sequence, await shop.counted()]).toEqual([sequence, orders]);
  }
}
