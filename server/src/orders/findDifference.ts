import type { Issue, Order } from '@orderbeacon/sdk/contract';
import { isSameAmount } from '../values/currency.js';

/** The reason for which a page's report is kept that differs from the known order. It is no error: the answer is the order. */
export const orderDiffers = 'order_differs';

/**
 * Compares the money of a page's report with the order that it is known by. Names both amounts; undefined when they are
 * equal.
 */
export function findDifference(
  { orderNumber, ...order }: Pick<Order, 'orderNumber' | 'amount' | 'currency'>,
  report: { amount: number; currency: string },
): Issue | undefined {
  const isEqual = isSameAmount(order.amount, report.amount, order.currency);
  if (isEqual && order.currency === report.currency) return undefined;
  const [said, stored] = [report, order].map(({ amount, currency }) => `${amount} ${currency}`);
  const message = `is ${said} here, and ${stored} in the stored order ${orderNumber}`;
  return { path: isEqual ? 'currency' : 'amount', message };
}
