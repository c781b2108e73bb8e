import { byAge, groupPayments, isOldPayment } from './clusters.js';
import { placeEnd, refundedOrder } from './placeReturns.js';
import { placeWord } from './placeWords.js';
import { shareRefunds } from './shareRefunds.js';
import type { Grouping, StatedObject } from './statement.js';
import { takeIn } from './takeIn.js';

/**
 * Groups objects into orders. The result depends only on the set: neither the order of the list nor that of arrival matters.
 *
 * First, shop orders and payments make orders by the provider's links. Then reports are placed one by one, those of unsigned pages
 * after all others, the oldest first. A report joins the order that has its payment's id or its number, unless it names another
 * buyer. Unpaid ends and refunds are placed last. So a page's `name` ends up in the order of its payment, even if the page reported
 * first.
 */
export function groupStatements(objects: readonly StatedObject[]): Grouping {
  const ofKind = (...kinds: StatedObject['kind'][]) =>
    objects.filter(({ kind }) => kinds.includes(kind)).sort(byAge);
  const shopOrders = ofKind('shopOrder');
  const payments = ofKind('session', 'invoice', 'payment', 'charge', 'invoicePayment');
  const reports = ofKind('report');
  const old = reports.filter((report) => isOldPayment(report, [...shopOrders, ...payments]));
  const orders = takeIn(
    shopOrders.filter(({ wasPaid }) => wasPaid),
    groupPayments([...payments, ...old]),
  );
  // Unsigned pages come last, because all other speakers are stronger.
  const isByPage = ({ speaker }: StatedObject) => speaker === 'page';
  const others = reports.filter((report) => !old.includes(report));
  const words = [...others.filter((word) => !isByPage(word)), ...others.filter(isByPage)];
  const setAside = words.filter((word) => !placeWord(word, orders));
  const waiting = shopOrders.filter((order) => !order.wasPaid && !placeEnd(order, orders));
  const returns = ofKind('refund').map((refund) => ({ refund, order: refundedOrder(refund, orders) }));
  for (const { refund, order } of returns) (order?.objects ?? waiting).push(refund);
  return { groups: shareRefunds(orders), waiting, setAside };
}
