import { addDecimals, subtractDecimals } from '../../../values/decimal.js';
import { isShopKey } from '../payment.js';
import { statedFields } from './joinVersions.js';
import {
  type Cluster,
  isLegacy,
  objectKinds,
  type Payment,
  type StatedObject,
  valuesOf,
} from './statement.js';

/** The fields by which objects are sorted by age. */
type Aged = Pick<StatedObject, 'created' | 'object'>;

/** Compares by age, then by id. */
export function byAge(one: Aged, other: Aged): number {
  return compareTexts(one.created, other.created) || compareTexts(one.object, other.object);
}

/** Compares texts by code units; for ASCII as `collate "C"` does. */
export function compareTexts(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

/** Compares two objects of a provider: first by the priority of their kinds in `objectKinds`, then by age. */
export function byKind(one: StatedObject, other: StatedObject): number {
  return objectKinds.indexOf(one.kind) - objectKinds.indexOf(other.kind) || byAge(one, other);
}

/** Recognizes the id of a Stripe invoice. One invoice can have several payments. */
const isInvoiceId = (id: string) => id.startsWith('in_');

const providerIds = (object: StatedObject) => valuesOf(object, 'provider');

/**
 * @returns true if a server of 0.4.0 stored this report for a payment of which no object is known yet. A known invoice does not
 *   count, because another payment of the same invoice adds to it. A report of a shop order is not a payment.
 */
export function isOldPayment(report: StatedObject, objects: readonly StatedObject[]): boolean {
  const ids = providerIds(report);
  const carried = new Set(objects.flatMap(providerIds));
  return (
    isLegacy(report) &&
    ids.length > 0 &&
    !ids.some(isShopKey) &&
    !ids.some((id) => !isInvoiceId(id) && carried.has(id))
  );
}

/**
 * Groups a payment provider's objects into clusters by their links. An invoice is in one cluster with its payments. If several
 * invoices share a payment, its objects are in the first invoice's cluster. Only the invoice payments of another invoice are in
 * that one's cluster; `lent` is their amount.
 */
export function groupPayments(objects: readonly StatedObject[]): Cluster[] {
  const invoices = objects.filter(({ kind }) => kind === 'invoice');
  const payments = joinByIds(objects.filter(({ kind }) => kind !== 'invoice'));
  const clusterOf = new Map<string, Cluster>();
  const clusters: Cluster[] = [];
  const ofInvoice = (id: string): Cluster => {
    const cluster = clusterOf.get(id) ?? { objects: [], payments: [] };
    if (!clusterOf.has(id)) clusters.push(cluster);
    clusterOf.set(id, cluster);
    return cluster;
  };
  for (const invoice of invoices) ofInvoice(invoice.object).objects.push(invoice);
  for (const members of payments) {
    const ids = new Set(members.flatMap(providerIds));
    const named = [...ids].filter(isInvoiceId);
    const naming = invoices.filter((invoice) =>
      providerIds(invoice).some((id) => !isInvoiceId(id) && ids.has(id)),
    );
    const invoiceIds = [...new Set([...named, ...naming.map(({ object }) => object)])].sort(compareTexts);
    const [first, ...others] = invoiceIds;
    if (first === undefined) {
      clusters.push({ objects: members, payments: [{ objects: members, lent: '0', shares: [] }] });
      continue;
    }
    // Each invoice keeps its own invoice payments. All other objects belong to the first invoice.
    const isOfOther = (object: StatedObject) =>
      object.kind === 'invoicePayment' && others.some((id) => providerIds(object).includes(id));
    const own = members.filter((object) => !isOfOther(object));
    const parts = others.map((invoice) => {
      const had = members.filter((object) => isOfOther(object) && providerIds(object).includes(invoice));
      return { invoice, objects: had, amount: had.map(amountOf).reduce(addDecimals, '0') };
    });
    const lent = parts.map(({ amount }) => amount).reduce(addDecimals, '0');
    const highest = own.filter(({ kind }) => kind !== 'invoicePayment').sort(byKind)[0];
    const ownAmount = highest ? without(amountOf(highest), lent) : own.map(amountOf).reduce(addDecimals, '0');
    const shares = others.length === 0 ? [] : [{ invoice: first, amount: ownAmount }, ...parts];
    add(ofInvoice(first), { objects: own, lent, shares });
    for (const { invoice, objects: of } of parts) add(ofInvoice(invoice), { objects: of, lent: '0', shares });
  }
  for (const { payments: each } of clusters)
    each.sort((a, b) => byAge(oldestOf(a.objects), oldestOf(b.objects)));
  return clusters.filter((cluster) => cluster.objects.length > 0);
}

/**
 * Computes the money of a cluster. It is the amount of the session or invoice if there is one, otherwise the sum of the payments in
 * the currency of the oldest payment.
 */
export function moneyOf({ objects, payments }: Cluster): { amount: string; currency: string | null } {
  const whole = objects.filter(({ kind }) => kind === 'session' || kind === 'invoice').sort(byKind)[0];
  if (whole) return { amount: amountOf(whole), currency: statedFields(whole).currency ?? null };
  const parts = payments.map((payment) => {
    const highest = payment.objects.toSorted(byKind)[0]!;
    const amount =
      highest.kind === 'invoicePayment'
        ? payment.objects.map(amountOf).reduce(addDecimals, '0')
        : without(amountOf(highest), payment.lent);
    return { amount, currency: statedFields(highest).currency ?? null };
  });
  const { currency } = parts[0]!;
  const added = parts.filter((part) => part.currency === currency);
  return { amount: added.map(({ amount }) => amount).reduce(addDecimals, '0'), currency };
}

function add(cluster: Cluster, payment: Payment): void {
  if (payment.objects.length === 0) return;
  cluster.objects.push(...payment.objects);
  cluster.payments.push(payment);
}

/** Finds the oldest object of a list, which must not be empty. */
export const oldestOf = (objects: readonly StatedObject[]): StatedObject =>
  objects.reduce((a, b) => (byAge(b, a) < 0 ? b : a));

/** Subtracts a part from an amount; 0 if the part is greater. */
const without = (amount: string, part: string): string =>
  Number(part) < Number(amount) ? subtractDecimals(amount, part) : '0';

/** Returns the stated amount of an object, as exact text; `0` if it has none. */
export const amountOf = (object: StatedObject): string => statedFields(object).amount ?? '0';

/** Groups objects that share an id. Ids of invoices do not link objects. */
function joinByIds(objects: readonly StatedObject[]): StatedObject[][] {
  const groups: { ids: Set<string>; objects: StatedObject[] }[] = [];
  for (const object of objects) {
    const ids = new Set([object.object, ...providerIds(object)].filter((id) => !isInvoiceId(id)));
    const met = groups.filter((group) => [...ids].some((id) => group.ids.has(id)));
    for (const group of met) groups.splice(groups.indexOf(group), 1);
    groups.push({
      ids: new Set([...ids, ...met.flatMap((group) => [...group.ids])]),
      objects: [...met.flatMap((group) => group.objects), object],
    });
  }
  return groups.map((group) => group.objects);
}
