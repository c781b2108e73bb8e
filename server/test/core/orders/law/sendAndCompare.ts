import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { defaults } from '../../../../src/core/orders/defaults.js';
import { fieldNames } from '../../../../src/core/orders/fields.js';
import { foldStatements } from '../../../../src/core/orders/merge/foldStatements.js';
import { groupStatements } from '../../../../src/core/orders/merge/groupStatements.js';
import { joinVersions, statedFields } from '../../../../src/core/orders/merge/joinVersions.js';
import { loadNeighbours } from '../../../../src/core/orders/merge/sql/loadNeighbours.js';
import type { StatedObject } from '../../../../src/core/orders/merge/statement.js';
import type { Sql } from '../../../../src/database/connection/connect.js';
import type { SourceKind } from '../../../../src/features/sources/source.js';
import { addTestSource, signers } from '../../../features/sources/kit/sources.js';
import { createRandom } from '../../../kit/random.js';
import { sendTo, type TestServer } from '../../../kit/server.js';
import { settle } from '../../../kit/settle.js';
import { openShop } from '../../../kit/shop.js';
import { logOf } from './logOf.js';
import type { Delivery } from './purchases.js';

const secret = 'whsec_of_a_test';

/** Writes all of an order that is compared: everything but ids and times of arrival. */
const compared = (orders: Record<string, unknown>[]) =>
  orders
    .map((order) => JSON.stringify(order))
    .sort()
    .map((text) => JSON.parse(text));

type Refund = { refundId: string; object: string; counts: string; amount: string | null; createdAt: string };

const comparedRefunds = (refunds: readonly Refund[]) =>
  refunds
    .map(({ refundId, object, counts, amount, createdAt }) => {
      // A backend's refund has the time of its arrival.
      const isOfBackend = object.startsWith('refund:');
      return `${refundId} ${Number(counts)} of ${amount && Number(amount)} ${isOfBackend ? '' : createdAt}`;
    })
    .sort();

/** Makes the reports of a nightly job: each order of a backend by its number alone, with a new key. */
const atNight = (deliveries: readonly Delivery[]): Delivery[] =>
  deliveries.flatMap((delivery, n) => {
    if (delivery.by !== 'backend') return [];
    const { shopOrderId, ...body } = delivery.body;
    return [{ by: 'backend', body, key: `night-${n}` }];
  });

/**
 * Sends deliveries to two servers concurrently, in a random order, and returns the rows that are stored then. `again` has the rows
 * after the backends have reported their orders once more.
 */
export async function sendAndCompare(
  server: TestServer,
  servers: readonly TestServer[],
  deliveries: readonly Delivery[],
  order: number,
  between?: () => Promise<void>,
) {
  const random = createRandom(order);
  const shop = await openShop(server);
  const { team, teamId, origin } = shop;
  const kinds: SourceKind[] = ['stripe', 'woocommerce', 'shopify'];
  const sources = Object.fromEntries(
    await Promise.all(kinds.map(async (kind) => [kind, await addTestSource(server, team, { kind })])),
  );
  const authorization = `Bearer ${await shop.liveKey()}`;

  const refused = new Set<Delivery>();
  async function deliver(delivery: Delivery): Promise<void> {
    const { url } = random.pick(...servers);
    const post = (path: string, headers: Record<string, string>, body: unknown) =>
      sendTo(new URL(path, url), 'POST', {
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    const send = () => {
      if (delivery.by === 'page') return post('/svc-api/v1/orders', { origin }, { teamId, ...delivery.body });
      if (delivery.by === 'backend')
        return post(
          '/svc-api/v1/orders',
          { authorization, ...(delivery.key && { 'idempotency-key': delivery.key }) },
          { teamId, ...delivery.body },
        );
      if (delivery.by === 'refund')
        return post('/svc-api/v1/orders/refunds', { authorization }, delivery.body);
      const { payload, topic, by } = delivery as Extract<Delivery, { payload: unknown }>;
      return post(sources[by].path, signers[by](JSON.stringify(payload), secret, topic), payload);
    };
    const { status, text } = await send();
    if (status === 503) return deliver(delivery);
    const isAside = delivery.by === 'page' && status === 409;
    // An order that was wholly returned before takes no refund.
    if (delivery.by === 'refund' && status === 400 && text.includes('more than is left'))
      refused.add(delivery);
    else if (!isAside) expect([status, text]).toEqual([200, expect.any(String)]);
  }

  const waiting = deliveries.map((each) => ({ each, by: random.next() })).sort((a, b) => a.by - b.by);
  const half = between ? waiting.splice(waiting.length / 2) : [];
  for (const part of [waiting, half]) {
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let next = part.pop(); next; next = part.pop()) await deliver(next.each);
      }),
    );
    if (part === waiting) await between?.();
  }
  /** Returns the stored orders, and their statements. */
  async function readOrders() {
    await settle(server.sql, team);
    const ids = await server.sql<{ id: string }[]>`select id from placed_order where team_id = ${team}`;
    const { orders, statements } = await loadNeighbours(server.sql, team, false, {
      names: [],
      objects: [],
      orderIds: ids.map(({ id }) => id),
    });
    const stored = orders.map((order) => ({
      ...Object.fromEntries(fieldNames.map((name) => [name, order[name] ?? null])),
      amount: Number(order.amount),
      email: order.hasNoEmail ? null : order.email,
      reportedBy: order.reportedBy,
      ...(order.reportedBy !== 'browser' && { createdAt: order.createdAt }),
      refunds: comparedRefunds(order.refunds),
    }));
    return { stored: compared(stored), statements };
  }
  const { stored, statements } = await readOrders();
  // A backend's refund contains the order for which it was accepted.
  const orderOfRefund = new Map(statements.map((each) => [each.stated.object, each.stated.of]));
  const accepted = deliveries.filter((delivery) => !refused.has(delivery));
  const unplaced = await logOf(server.sql, sources as never, accepted);
  /** The name of a page's object has the buyer's id, which is another one in the team of the log. */
  const inLog = (of: string) => {
    const page = statements.find(({ stated }) => stated.object === of && stated.speaker === 'page')?.stated;
    const isPage = (each: StatedObject) =>
      each.speaker === 'page' &&
      isDeepStrictEqual(each.names, page?.names) &&
      statedFields(each).email === statedFields(page!).email;
    return (page && unplaced.find(isPage)?.object) ?? of;
  };
  const log = unplaced.map((each) => {
    if (each.speaker !== 'backend' || each.kind !== 'refund') return each;
    const of = orderOfRefund.get(each.object) ?? null;
    return { ...each, of: of && inLog(of) };
  });
  const lost = await lostNames(server.sql, team);
  for (const delivery of atNight(deliveries)) await deliver(delivery);
  return { stored, said: compared(foldAll(log)), lost, again: (await readOrders()).stored };
}

/** Selects identifiers of statements that do not lead to a row of their order. A later report with one would not find it. */
const lostNames = (sql: Sql, team: string) => sql`
  select s.object, name.kind, name.value
  from statement s join placed_order o on o.team_id = s.team_id and o.id = s.placed_order_id
  cross join json_to_recordset(s.said -> 'names') as name (kind text, value text)
  where s.team_id = ${team} and s.said ->> 'kind' <> 'refund' and name.kind <> 'idempotency'
    and name.value not in (coalesce(o.order_id, ''), coalesce(o.report_id, '')) and not exists (
      select from order_key k
      where k.team_id = ${team} and k.kind = name.kind and k.key = name.value and k.placed_order_id = o.id
    )`;

/** Computes the result of the laws from the whole log. */
function foldAll(log: readonly StatedObject[]) {
  const known = new Map<string, StatedObject>();
  for (const deliveries of log) {
    const before = known.get(deliveries.object);
    known.set(deliveries.object, before ? joinVersions(before, deliveries) : deliveries);
  }
  return groupStatements([...known.values()]).groups.map((group) => {
    const { fields, buyer, reportedBy, createdAt, refunds } = foldStatements(group);
    return {
      ...fields,
      currency: fields.currency ?? defaults.currency,
      source: fields.source ?? defaults.source[reportedBy === 'browser' ? 'withoutKey' : 'withKey'],
      amount: Number(fields.amount),
      email: buyer?.email ?? null,
      reportedBy,
      ...(reportedBy !== 'browser' && { createdAt }),
      refunds: comparedRefunds(refunds),
    };
  });
}
