import { addDecimals } from '../../../values/decimal.js';
import type { Candidate } from './candidates.js';
import { byAge, moneyOf, oldestOf } from './clusters.js';
import { contradicts } from './contradicts.js';
import { wholeOf } from './parts.js';
import { type Cluster, type StatedObject, valuesOf } from './statement.js';

/**
 * Makes one order of each shop order with its payments, and one of each remaining payment. A shop order takes in payments that it
 * names by id. Then it takes in those with its number, the oldest first, as long as their sum is no more than the greatest amount
 * that it ever had. A shop order that is a part of another one is in the same order, and adds no money.
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
  for (const takes of [isNamed, isOfNumber])
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

/**
 * @returns true for a payment that has the shop order's number and currency, and names no other buyer. The payments of the shop
 *   order and this one together are at most the greatest amount that the order ever had
 */
function isOfNumber({ head, objects, clusters }: Candidate, cluster: Cluster): boolean {
  const numbers = valuesOf(head, 'number');
  const has = (object: StatedObject) => valuesOf(object, 'number').some((value) => numbers.includes(value));
  if (!cluster.objects.some(has) || contradicts(cluster.objects, objects)) return false;
  const { currency, amount } = moneyOf(cluster);
  const sum = clusters
    .map(moneyOf)
    .filter((money) => money.currency === currency)
    .reduce((all, money) => addDecimals(all, money.amount), amount);
  return head.amounts.some((cost) => cost.currency === currency && Number(sum) <= Number(cost.amount));
}
