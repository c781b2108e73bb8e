import { addDecimals, subtractDecimals } from '../../../values/decimal.js';
import { compareTexts, type Payment } from './clusters.js';
import type { Candidate } from './groupStatements.js';
import type { Group, SaidObject, SaidRefund } from './statement.js';

/**
 * Makes the groups of orders. The refunds of a payment that several invoices share fill the share of each invoice in turn, the
 * oldest refund first.
 */
export function shareRefunds(orders: readonly Candidate[]): Group[] {
  const groups = orders.map(({ objects, clusters }) => ({
    objects: [...objects],
    clusters,
    portions: new Map<string, string>(),
  }));
  for (const group of groups)
    for (const { payments } of group.clusters)
      for (const payment of payments) if (payment.shares.length > 0) share(payment, group.objects, groups);
  return groups;
}

interface Sharing {
  objects: SaidObject[];
  clusters: Group['clusters'];
  portions: Map<string, string>;
}

function share(
  { objects, shares }: Payment,
  inOrder: readonly SaidObject[],
  groups: readonly Sharing[],
): void {
  const ids = new Set(objects.flatMap(({ names }) => names.map(({ value }) => value)));
  const refunds = inOrder
    .filter(({ kind, names }) => kind === 'refund' && names.some(({ value }) => ids.has(value)))
    .sort((a, b) => compareTexts(a.created, b.created) || compareTexts(a.object, b.object));
  const left = shares.map(({ amount }) => amount);
  for (const refund of refunds) {
    let rest = refundedBy(refund);
    for (const [at, { invoice }] of shares.entries()) {
      const part = least(rest, left[at]!);
      const group = groups.find((each) => hasInvoice(each, invoice));
      if (!group) continue;
      left[at] = subtractDecimals(left[at]!, part);
      rest = subtractDecimals(rest, part);
      group.portions.set(refund.object, part);
      if (Number(part) > 0 && !group.objects.includes(refund)) group.objects.push(refund);
    }
  }
}

const hasInvoice = ({ clusters }: Sharing, invoice: string) =>
  clusters.some((cluster) =>
    cluster.objects.some(({ names }) => names.some(({ value }) => value === invoice)),
  );

/** Money that an object of a refund returns by itself. */
const refundedBy = ({ parts }: SaidObject): string =>
  ((parts.refunds?.value ?? []) as readonly SaidRefund[])
    .map(({ amount }) => amount ?? '0')
    .reduce(addDecimals, '0');

/** The lesser one of two plain decimals. */
export const least = (one: string, other: string): string => (Number(other) < Number(one) ? other : one);
