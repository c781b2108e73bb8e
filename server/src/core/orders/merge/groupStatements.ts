import { addDecimals } from '../../../values/decimal.js';
import { byAge, type Cluster, groupPayments, moneyOf } from './clusters.js';
import { contradicts, haveSameAmount, isNear } from './contradicts.js';
import { wordsOf } from './joinVersions.js';
import { shareRefunds } from './shareRefunds.js';
import type { Grouping, Name, SaidObject } from './statement.js';

/** An order in the making. */
export interface Candidate {
  objects: SaidObject[];
  /** Payments of the order; of a shop order those that it has taken in. */
  clusters: Cluster[];
  /** The object that the order began with. */
  head: SaidObject;
}

/** Ranks of what can own a number, the first one first. */
const ranks = { shopOrder: 0, cluster: 1, backend: 2, signed: 3, file: 4, page: 5 } as const;

/**
 * Says which objects are one order. A function of the set: neither the order of the list nor that of arrival matters. The steps are
 * those of the guide "How orders become one".
 */
export function groupStatements(objects: readonly SaidObject[]): Grouping {
  const ofKind = (...kinds: SaidObject['kind'][]) =>
    objects.filter(({ kind }) => kinds.includes(kind)).sort(byAge);
  const shopOrders = ofKind('shopOrder');
  const paid = shopOrders.filter(({ wasPaid }) => wasPaid);
  const clusters = groupPayments(ofKind('session', 'invoice', 'payment', 'charge', 'invoicePayment'));
  const orders = takeIn(paid, clusters);
  const setAside: SaidObject[] = [];
  // Pages last, because a backend is believed over them.
  const words = ofKind('report').sort((a, b) => Number(isOfPage(a)) - Number(isOfPage(b)));
  for (const word of words) {
    const target = findTarget(word, orders);
    if (target === 'none') orders.push({ objects: [word], clusters: [], head: word });
    else if (target === 'another') setAside.push(word);
    else target.objects.push(word);
  }
  const waiting: SaidObject[] = [];
  for (const end of shopOrders.filter(({ wasPaid }) => !wasPaid)) {
    const target = orders.find((order) => isEndOf(end, order));
    if (target) target.objects.push(end);
    else waiting.push(end);
  }
  const returns = ofKind('refund');
  for (const each of returns) {
    const target = findRefunded(each, orders);
    if (target) target.objects.push(each);
    else waiting.push(each);
  }
  return { groups: shareRefunds(orders), waiting, setAside };
}

/** Makes the shop orders with the payments that each takes in, and leaves the other payments as orders of their own. */
function takeIn(shopOrders: readonly SaidObject[], clusters: readonly Cluster[]): Candidate[] {
  const free = new Set(clusters);
  const orders = shopOrders.map((head): Candidate => ({ objects: [head], clusters: [], head }));
  const take = (order: Candidate, cluster: Cluster) => {
    free.delete(cluster);
    order.clusters.push(cluster);
    order.objects.push(...cluster.objects);
  };
  for (const order of orders)
    for (const cluster of free) {
      const ids = new Set(cluster.objects.flatMap((object) => valuesOf(object, 'provider')));
      if (valuesOf(order.head, 'provider').some((id) => ids.has(id))) take(order, cluster);
    }
  const byAgeOfCluster = [...free].sort((a, b) => byAge(oldest(a), oldest(b)));
  for (const order of orders)
    for (const cluster of byAgeOfCluster) {
      const isOfNumber = sharesNumber(order.objects, cluster.objects);
      if (free.has(cluster) && isOfNumber && fits(order, cluster)) take(order, cluster);
    }
  const alone = [...free].map(
    (cluster): Candidate => ({ objects: [...cluster.objects], clusters: [cluster], head: oldest(cluster) }),
  );
  return [...orders, ...alone.sort((a, b) => byAge(a.head, b.head))];
}

const oldest = ({ objects }: Cluster) => objects.reduce((a, b) => (byAge(b, a) < 0 ? b : a));

/** True if a payment is of the currency and the buyer of a shop order, and no more than what that ever cost. */
function fits(order: Candidate, cluster: Cluster): boolean {
  const greatest = order.head.amounts.toSorted((a, b) => Number(b.amount) - Number(a.amount))[0];
  if (!greatest) return false;
  const money = [...order.clusters, cluster].map(moneyOf);
  if (money.some((each) => each.currency !== greatest.currency)) return false;
  const sum = money.map(({ amount }) => amount).reduce(addDecimals, '0');
  return Number(sum) <= Number(greatest.amount) && !contradicts(cluster.objects, order.objects);
}

/** Finds the order that words go to; `none` if they are an order of their own, `another` if they are set aside. */
function findTarget(word: SaidObject, orders: readonly Candidate[]): Candidate | 'none' | 'another' {
  const isFree = (order: Candidate) => !contradicts([word], order.objects);
  const named = [...ordersNaming(orders, word, ['provider']), ...owners(orders, word)];
  const target =
    named.find(isFree) ??
    orders.find((order) => isFormer(word, order)) ??
    ordersNaming(orders, word, ['idempotency', 'report']).find(isFree);
  if (target) return target;
  const isOfAnother = named.some(({ head }) => isNear(head.created, word.created));
  return isOfPage(word) && isOfAnother ? 'another' : 'none';
}

const isOfPage = ({ speaker }: SaidObject) => speaker === 'page' || speaker === 'signed';

/** Lists the orders that have a name of these kinds that words say. */
function ordersNaming(orders: readonly Candidate[], word: SaidObject, kinds: Name['kind'][]): Candidate[] {
  const wanted = kinds.flatMap((kind) => valuesOf(word, kind).map((value) => `${kind} ${value}`));
  if (wanted.length === 0) return [];
  return orders.filter(({ objects }) =>
    objects.some(({ names }) => names.some(({ kind, value }) => wanted.includes(`${kind} ${value}`))),
  );
}

/** Lists the orders that carry a number, or the shop's own id, of words, the owner first. Two ids of the shop are two orders. */
function owners(orders: readonly Candidate[], word: SaidObject): Candidate[] {
  const numbers = valuesOf(word, 'number');
  const shopIds = valuesOf(word, 'shopOrder');
  const has = ({ objects }: Candidate) => {
    const own = objects.flatMap((object) => valuesOf(object, 'shopOrder'));
    if (own.length > 0 && shopIds.length > 0) return own.some((id) => shopIds.includes(id));
    return objects.some((object) => valuesOf(object, 'number').some((value) => numbers.includes(value)));
  };
  return orders.filter(has).sort((a, b) => compareOwners(a, b, numbers));
}

/**
 * True for words that call an order by the shop's own id where the order has it as its number, or the other way round: a plugin
 * numbers orders later. The number of one order can be the id of another one, so buyer and amount are the same.
 */
function isFormer(word: SaidObject, { objects }: Candidate): boolean {
  const values = (kind: Name['kind']) => objects.flatMap((object) => valuesOf(object, kind));
  const isCalled =
    valuesOf(word, 'number').some((value) => values('shopOrder').includes(value)) ||
    valuesOf(word, 'shopOrder').some((value) => values('number').includes(value));
  return isCalled && objects.some((each) => isSameBuyer(word, each) && haveSameAmount(word, each));
}

/** Compares orders of one number: the kind, then who shows it now, then the age. */
function compareOwners(one: Candidate, other: Candidate, numbers: readonly string[]): number {
  const shows = ({ objects }: Candidate) =>
    Number(!objects.some((object) => numbers.includes(wordsOf(object).orderId ?? '')));
  return rankOf(one) - rankOf(other) || shows(one) - shows(other) || byAge(one.head, other.head);
}

/** Compares the objects of two orders of one number: below 0 if the first one owns it. */
export function rankOfOwner(
  one: readonly SaidObject[],
  other: readonly SaidObject[],
  number: string,
): number {
  const [a, b] = [one, other].map((objects): Candidate => {
    const ofRank = objects.filter(({ kind }) => kind !== 'refund').sort(byAge);
    const shopOrder = ofRank.find(({ kind, wasPaid }) => kind === 'shopOrder' && wasPaid);
    return { objects: ofRank, clusters: [], head: shopOrder ?? ofRank[0]! };
  }) as [Candidate, Candidate];
  return compareOwners(a, b, [number]);
}

function rankOf({ objects }: Candidate): number {
  const words = objects.filter(({ kind }) => kind !== 'refund');
  return Math.min(
    ...words.map(({ kind, speaker }) => {
      if (kind === 'shopOrder') return ranks.shopOrder;
      if (kind !== 'report') return ranks.cluster;
      return ranks[speaker as 'backend' | 'signed' | 'file' | 'page'] ?? ranks.page;
    }),
  );
}

function sharesNumber(one: readonly SaidObject[], other: readonly SaidObject[]): boolean {
  const numbers = new Set(one.flatMap((object) => valuesOf(object, 'number')));
  return other.some((object) => valuesOf(object, 'number').some((value) => numbers.has(value)));
}

const valuesOf = ({ names }: SaidObject, kind: Name['kind']): string[] =>
  names.filter((name) => name.kind === kind).map(({ value }) => value);

/** True if an end without a payment takes an order of pages back: buyer and amount are the same, and the page was not later. */
function isEndOf(end: SaidObject, { objects }: Candidate): boolean {
  if (!objects.every(isOfPage) || wordsOf(end).amount === undefined) return false;
  const numbers = [...valuesOf(end, 'number'), ...valuesOf(end, 'shopOrder')];
  const endedAt = end.parts.state?.version ?? end.created;
  return objects.some(
    (page) =>
      [...valuesOf(page, 'number'), ...valuesOf(page, 'shopOrder')].some((name) => numbers.includes(name)) &&
      isSameBuyer(page, end) &&
      haveSameAmount(page, end) &&
      page.created <= endedAt &&
      (end.since === null || page.created >= end.since),
  );
}

const isSameBuyer = (one: SaidObject, other: SaidObject) =>
  one.buyers.some((id) => other.buyers.includes(id));

/** Finds the order of a return of money: of its payment, of the object that it was accepted for, else the owner of its number. */
function findRefunded(refund: SaidObject, orders: readonly Candidate[]): Candidate | undefined {
  const ids = new Set(valuesOf(refund, 'provider'));
  const byId = orders.find(({ objects }) =>
    objects.some(
      (object) => ids.has(object.object) || valuesOf(object, 'provider').some((id) => ids.has(id)),
    ),
  );
  const byObject =
    refund.of && orders.find(({ objects }) => objects.some(({ object }) => object === refund.of));
  return byId ?? (byObject || owners(orders, refund)[0]);
}
