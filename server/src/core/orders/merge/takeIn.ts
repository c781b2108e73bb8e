import { addDecimals } from '../../../values/decimal.js';
import type { Candidate } from './candidates.js';
import { byAge, moneyOf, oldestOf } from './clusters.js';
import { contradicts, haveSameAmount, haveSameBuyer } from './contradicts.js';
import { wholeOf } from './parts.js';
import { type Cluster, type StatedObject, valuesOf } from './statement.js';

/**
 * Makes one order of each shop order with its payments, and one of each remaining payment. A shop order takes in payments that it
 * names by id, then those with its number, then those with its own id as their number. The oldest ones come first, as long as their
 * sum is no more than the greatest amount that it ever had. A shop order that is a part of another one is in the same order, and
 * adds no money.
 */
export function takeIn(shopOrders: readonly StatedObject[], clusters: readonly Cluster[]): Candidate[] {
  const free = new Set(clusters.toSorted((a, b) => byAge(oldestOf(a.objects), oldestOf(b.objects))));
  const wholes = new Map(shopOrders.map((order) => [order, wholeOf(order, shopOrders)]));
  const orders = shopOrders
    .filter((order) => wholes.get(order) === order)
    .map((head): Candidate => {
      const parts = shopOrders.filter((order) => order !== head && wholes.get(order) === head);
      return { objects: [head, ...parts], clusters: [], head };
    });
  for (const takes of [isNamed, isOfNumber, isOfShopId])
    for (const order of orders)
      for (const cluster of free)
        if (takes(order, cluster)) {
          free.delete(cluster);
          order.clusters.push(cluster);
          order.objects.push(...cluster.objects);
        }
  const others = [...free].map(
    (cluster): Candidate => ({
      objects: [...cluster.objects],
      clusters: [cluster],
      head: oldestOf(cluster.objects),
    }),
  );
  return [...orders, ...others];
}

function isNamed({ head }: Candidate, { objects }: Cluster): boolean {
  const ids = new Set(objects.flatMap((object) => valuesOf(object, 'provider')));
  return valuesOf(head, 'provider').some((id) => ids.has(id));
}

/** @returns true for a payment that has the shop order's number and currency, and names no other buyer */
function isOfNumber(order: Candidate, cluster: Cluster): boolean {
  return (
    isCalled(cluster, valuesOf(order.head, 'number')) &&
    !contradicts(cluster.objects, order.objects) &&
    hasRoom(order, cluster)
  );
}

/**
 * @returns true for a payment whose number is the shop order's own id. A plugin may number orders, and another one may write their ids
 *   into the payments. Buyer and amount must be the same, because the id of one order can be the number of another
 */
function isOfShopId(order: Candidate, cluster: Cluster): boolean {
  const { head, objects } = order;
  return (
    isCalled(cluster, valuesOf(head, 'shopOrder')) &&
    cluster.objects.some((one) => objects.some((other) => haveSameBuyer(one, other))) &&
    cluster.objects.some((one) => haveSameAmount(one, head)) &&
    hasRoom(order, cluster)
  );
}

/** @returns true if any object of a payment has one of the numbers */
const isCalled = ({ objects }: Cluster, numbers: readonly string[]): boolean =>
  objects.some((object) => valuesOf(object, 'number').some((value) => numbers.includes(value)));

/** @returns true if the payments of a shop order and another one together are at most the greatest amount that the order ever had */
function hasRoom({ head, clusters }: Candidate, cluster: Cluster): boolean {
  const { currency, amount } = moneyOf(cluster);
  const sum = clusters
    .map(moneyOf)
    .filter((money) => money.currency === currency)
    .reduce((all, money) => addDecimals(all, money.amount), amount);
  return head.amounts.some((cost) => cost.currency === currency && Number(sum) <= Number(cost.amount));
}
