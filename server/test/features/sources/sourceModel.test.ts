// @module-tag all
import fc from 'fast-check';
import { expect } from 'vitest';
import { openShop, type Shop, test } from '../../kit/shop.js';
import { annsVisitor, paidOrder, refundOf, returned } from './kit/shopifySamples.js';
import { addTestSource } from './kit/sources.js';
import { wooOrder } from './kit/wooCommerceSamples.js';

/** Seed of the run. To repeat one: `SOURCE_MODEL_SEED=7 npx vitest run …`. */
const seed = Number(process.env.SOURCE_MODEL_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** An order as its shop has it. Events contain all of it. */
interface ShopsOrder {
  isPaid: boolean;
  total: number;
  email: string | null;
  isErased: boolean;
  number: string;
  /** Returned cents, by the id of the refund. */
  refunds: Record<number, number>;
}

type Change =
  | 'pay'
  | 'edit up'
  | 'edit down'
  | 'refund'
  | 'correct'
  | 'empty'
  | 'erase'
  | 'renumber'
  | 'save';

/** Applies a change in the shop. If the change is not possible, the order stays the same. */
function applyTo(order: ShopsOrder, change: Change, at: number): ShopsOrder {
  const held = order.total - Object.values(order.refunds).reduce((sum, amount) => sum + amount, 0);
  switch (change) {
    case 'pay':
      return { ...order, isPaid: true };
    case 'edit up':
      return { ...order, total: order.total + 1_000 };
    case 'edit down':
      return held > 2_000 ? { ...order, total: order.total - 500 } : order;
    case 'refund':
      return order.isPaid && held > 1_000 ? { ...order, refunds: { ...order.refunds, [at]: 700 } } : order;
    case 'correct':
      return order.isErased ? order : { ...order, email: `ann-${at}@shop.example` };
    case 'empty':
      return order.isErased ? order : { ...order, email: null };
    case 'erase':
      return { ...order, email: null, isErased: true };
    case 'renumber':
      return { ...order, number: `W-${at}` };
    case 'save':
      return order;
  }
}

const money = (cents: number) => (cents / 100).toFixed(2);

/** Functions that write the events of an order's states, for two shop systems. */
const tellers = {
  woocommerce: {
    topic: 'order.updated',
    eventOf: (id: number, order: ShopsOrder, timeOf: (at: number) => Date, at: number) => {
      const { isPaid, total, email, isErased, number, refunds } = order;
      const gmt = timeOf(at).toISOString().slice(0, 19);
      return wooOrder(id, {
        number: number || `${id}`,
        total: money(total),
        date_modified_gmt: gmt,
        ...(!isPaid && { status: 'pending', date_paid: null, date_paid_gmt: null }),
        billing: isErased
          ? { first_name: '[deleted]', last_name: '[deleted]', email: 'deleted@site.invalid' }
          : { first_name: 'Ann', last_name: '', email: email ?? '' },
        ...(isErased && { shipping: {} }),
        refunds: Object.entries(refunds).map(([of, cents]) => ({
          id: id * 100 + Number(of),
          reason: '',
          total: `-${money(cents)}`,
        })),
      });
    },
  },
  shopify: {
    topic: 'orders/updated',
    eventOf: (id: number, order: ShopsOrder, timeOf: (at: number) => Date, at: number) => {
      const { isPaid, total, email, isErased, refunds } = order;
      const back = Object.values(refunds).reduce((sum, cents) => sum + cents, 0);
      return paidOrder(id, {
        email,
        contact_email: email,
        customer: isErased || email === null ? null : { id: 1, email, first_name: 'Ann', last_name: null },
        billing_address: null,
        ...(isErased && { note_attributes: [] }),
        total_price: money(total),
        total_price_set: undefined,
        current_total_price: money(total - back),
        financial_status: isPaid ? (back > 0 ? 'partially_refunded' : 'paid') : 'pending',
        updated_at: timeOf(at).toISOString(),
        refunds: Object.entries(refunds).map(([of, cents]) =>
          refundOf(id, id * 100 + Number(of), [
            returned(id * 100 + Number(of), money(cents), { processed_at: timeOf(Number(of)).toISOString() }),
          ]),
        ),
      });
    },
  },
} as const;

const changes: Change[] = ['edit up', 'edit down', 'refund', 'correct', 'empty', 'erase', 'renumber', 'save'];

/** Histories of an order, with the order of arrival of its events and an error of the clock. Some events come twice. */
const histories = fc
  .tuple(
    fc.constantFrom('woocommerce' as const, 'shopify' as const),
    fc.array(fc.constantFrom(...changes), { maxLength: 4 }),
    fc.constantFrom(-86_400_000, 0, 6_000, 7_200_000),
  )
  .chain(([kind, made, clockMs]) => {
    const all: Change[] = ['save', 'pay', ...made];
    const arrivals = fc.tuple(
      fc.shuffledSubarray(
        all.map((_, at) => at),
        { minLength: all.length },
      ),
      fc.array(fc.nat(all.length - 1), { maxLength: 2 }),
    );
    return fc.record({
      kind: fc.constant(kind),
      made: fc.constant(all),
      clockMs: fc.constant(clockMs),
      arrival: arrivals.map(([first, again]) => [...first, ...again]),
    });
  });

/** Reads the stored order without values that differ between two orders of the same history. */
async function stateOf({ stored, sql, team }: Shop) {
  const orders = await stored();
  const refunds = await sql<{ refundId: string; amount: string }[]>`
    select refund_id as "refundId", amount from refund where team_id = ${team} and not is_taken_back order by refund_id`;
  const people = await sql`select email, name from person where team_id = ${team}`;
  return {
    orders: orders.map(
      ({ amount, email, name, visitorId, firstTouch, items, extra, createdAt, changedAt }) => ({
        ...{ amount, email, name, visitorId, firstTouch, items, createdAt, changedAt },
        coupons: extra?.coupons,
      }),
    ),
    refunds: refunds.map(({ refundId, amount }) => [refundId, Number(amount)]),
    people: [...people],
  };
}

test(`the events of an order end in the same state in every order of arrival (seed ${seed})`, {
  tags: ['slow'],
}, async ({ server }) => {
  await fc.assert(
    fc.asyncProperty(histories, async ({ kind, made, clockMs, arrival }) => {
      const { topic, eventOf } = tellers[kind];
      const first: ShopsOrder = {
        isPaid: false,
        total: 5_000,
        email: 'amn@shop.example',
        isErased: false,
        number: '',
        refunds: {},
      };
      const states: ShopsOrder[] = [];
      for (const [at, change] of made.entries()) states.push(applyTo(states.at(-1) ?? first, change, at));
      const startMs = Date.now() + clockMs;
      const after = async (sequence: number[]) => {
        const shop = await openShop(server);
        const source = await addTestSource(server, shop.team, { kind });
        for (const at of sequence) {
          const event = eventOf(723, states[at]!, (made) => new Date(startMs + made * 1_000), at);
          expect((await source.say(event, topic)).status).toBe(200);
        }
        return stateOf(shop);
      };
      const inOrder = await after(states.map((_, at) => at));
      expect(await after(arrival)).toEqual(inOrder);
      // That state is also the shop's.
      const last = states.at(-1)!;
      const [order] = inOrder.orders;
      expect(inOrder.orders).toHaveLength(1);
      expect(order).toMatchObject({
        amount: String(last.total / 100),
        email: last.email ?? expect.stringMatching(/@no-email\.invalid$/),
        visitorId: last.email === null ? null : annsVisitor,
      });
      expect(inOrder.people).toHaveLength(1);
      expect(inOrder.refunds.map(([, amount]) => amount)).toEqual(
        Object.values(last.refunds).map((cents) => cents / 100),
      );
    }),
    { numRuns: 40, seed },
  );
});
