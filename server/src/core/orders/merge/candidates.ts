import { byAge, oldestOf } from './clusters.js';
import { statedFields } from './joinVersions.js';
import {
  type Cluster,
  type Group,
  type Identifier,
  identifierText,
  type StatedObject,
  valuesOf,
} from './statement.js';

/** An order while its statements are being grouped. */
export interface Candidate {
  objects: StatedObject[];
  /** Payments of the order. For a shop order these are the payments that it has taken in. */
  clusters: Cluster[];
  /** The object that the group began with. */
  head: StatedObject;
}

/**
 * Lists the orders that have any of the statement's identifiers of these kinds. Orders whose shop states the identifier come first.
 */
export function ordersNaming(
  orders: readonly Candidate[],
  word: StatedObject,
  ...kinds: Identifier['kind'][]
): Candidate[] {
  const wanted = new Set(word.names.filter(({ kind }) => kinds.includes(kind)).map(identifierText));
  if (wanted.size === 0) return [];
  const isNaming = ({ names }: StatedObject) => names.some((name) => wanted.has(identifierText(name)));
  const isByShop = ({ objects }: Candidate) =>
    objects.some((object) => object.speaker === 'shop' && isNaming(object));
  return orders
    .filter(({ objects }) => objects.some(isNaming))
    .sort((a, b) => Number(isByShop(b)) - Number(isByShop(a)));
}

/** Finds the order that contains an object. */
export const orderOf = (orders: readonly Candidate[], of: string | null): Candidate | undefined =>
  of === null ? undefined : orders.find(({ objects }) => objects.some(({ object }) => object === of));

/**
 * Lists the orders that have a statement's number or shop order id. The first one owns the number. Orders are sorted by speaker
 * (shop order, payment, backend, signed page, file, page), then those that show the number now, then by age. If the statement and
 * an order both have shop order ids, only these are compared: two shop ids are two orders.
 */
export function ownersOf(orders: readonly Candidate[], word: Pick<StatedObject, 'names'>): Candidate[] {
  const numbers = valuesOf(word, 'number');
  const shopIds = valuesOf(word, 'shopOrder');
  const carries = ({ objects }: Candidate) => {
    const own = objects.flatMap((object) => valuesOf(object, 'shopOrder'));
    if (own.length > 0 && shopIds.length > 0) return own.some((id) => shopIds.includes(id));
    return objects.some((object) => valuesOf(object, 'number').some((value) => numbers.includes(value)));
  };
  const shows = ({ head, clusters }: Candidate) =>
    [head, ...clusters.flatMap(({ objects }) => objects)].some((object) =>
      numbers.includes(statedFields(object).orderId ?? ''),
    );
  return orders
    .filter(carries)
    .sort((a, b) => rankOf(a) - rankOf(b) || Number(shows(b)) - Number(shows(a)) || byAge(a.head, b.head));
}

/** Finds the owner of a number among groups; undefined if no group has the number. */
export function ownerOf<Owner extends { group: Group }>(
  number: string,
  owners: readonly Owner[],
): Owner | undefined {
  const candidates = owners.map((owner) => {
    const { clusters } = owner.group;
    const objects = owner.group.objects.filter(({ kind, wasPaid }) => kind !== 'refund' && wasPaid);
    const payments = clusters.flatMap((cluster) => cluster.objects);
    const head =
      objects.find(({ kind }) => kind === 'shopOrder') ?? oldestOf(payments.length > 0 ? payments : objects);
    return { objects, clusters: [...clusters], head, owner };
  });
  const word = { names: [{ kind: 'number', value: number } as const] };
  return (ownersOf(candidates, word)[0] as (typeof candidates)[number] | undefined)?.owner;
}

const ranks = ['backend', 'signed', 'file', 'page'];

function rankOf({ objects }: Candidate): number {
  return Math.min(
    ...objects
      .filter(({ kind }) => kind !== 'refund')
      .map(({ kind, speaker }) => {
        if (kind === 'shopOrder') return 0;
        return kind === 'report' ? 2 + ranks.indexOf(speaker) : 1;
      }),
  );
}
