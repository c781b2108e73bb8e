import { addDecimals, subtractDecimals } from '../../../values/decimal.js';
import type { Candidate } from './candidates.js';
import { byAge } from './clusters.js';
import type { Group, Payment, StatedObject, StatedRefund } from './statement.js';

/**
 * Makes the final groups from the candidates. If several invoices share a payment, its refunds fill the share of one invoice after
 * another, the oldest refund first. Each refund is in all orders whose money it returns.
 */
export function shareRefunds(orders: readonly Candidate[]): Group[] {
  const groups = orders.map(({ objects, clusters }) => ({
    objects: [...objects],
    clusters,
    portions: new Map<string, string>(),
  }));
  const shared = new Map<Payment['shares'], StatedObject[]>();
  for (const { objects, shares } of groups.flatMap(({ clusters }) => clusters.flatMap(paymentsOf)))
    if (shares.length > 0) shared.set(shares, [...(shared.get(shares) ?? []), ...objects]);
  for (const [shares, objects] of shared) share(shares, objects, groups);
  return groups;
}

const paymentsOf = ({ payments }: Group['clusters'][number]) => payments;

interface Sharing {
  objects: StatedObject[];
  clusters: Group['clusters'];
  portions: Map<string, string>;
}

function share(
  shares: Payment['shares'],
  objects: readonly StatedObject[],
  groups: readonly Sharing[],
): void {
  const ids = new Set(objects.flatMap(({ names }) => names.map(({ value }) => value)));
  const slots = shares.flatMap(({ invoice, amount }) => {
    const group = groups.find((each) => hasInvoice(each, invoice));
    return group ? [{ group, left: amount }] : [];
  });
  const refunds = slots
    .flatMap(({ group }) => group.objects)
    .filter((object) => hasReturned(object) && object.names.some(({ value }) => ids.has(value)));
  for (const refund of [...new Set(refunds)].sort(byAge)) {
    let rest = refundedBy(refund);
    for (const slot of slots) {
      const part = least(rest, slot.left);
      if (Number(part) === 0) continue;
      slot.left = subtractDecimals(slot.left, part);
      rest = subtractDecimals(rest, part);
      const { portions } = slot.group;
      portions.set(refund.object, addDecimals(portions.get(refund.object) ?? '0', part));
    }
    const returning = slots.map(({ group }) => group).filter(({ portions }) => portions.has(refund.object));
    if (returning.length > 0) moveTo(new Set(returning), refund, groups);
  }
}

function moveTo(returning: ReadonlySet<Sharing>, refund: StatedObject, groups: readonly Sharing[]): void {
  for (const group of groups) group.objects = group.objects.filter((object) => object !== refund);
  for (const { objects } of returning) objects.push(refund);
}

const hasInvoice = ({ clusters }: Sharing, invoice: string) =>
  clusters.some((cluster) =>
    cluster.objects.some(({ names }) => names.some(({ value }) => value === invoice)),
  );

/** @returns true for a refund whose money was returned: not pending, failed, canceled or, for a dispute, won */
export const hasReturned = ({ kind, parts }: StatedObject): boolean =>
  kind === 'refund' && (parts.state === undefined || parts.state.value === 'paid');

/** Lists the refunds that an object lists, or is. */
export const refundsOf = ({ parts, refundedAt }: StatedObject): readonly StatedRefund[] =>
  ((parts.refunds?.value ?? []) as readonly StatedRefund[]).map((refund) => ({
    ...refund,
    createdAt: refundedAt[refund.refundId] ?? refund.createdAt,
  }));

/** Returns the amount that a refund object gives back. */
const refundedBy = (object: StatedObject): string =>
  refundsOf(object)
    .map(({ amount }) => amount ?? '0')
    .reduce(addDecimals, '0');

/** Returns the smaller of two decimals. */
export const least = (one: string, other: string): string => (Number(other) < Number(one) ? other : one);
