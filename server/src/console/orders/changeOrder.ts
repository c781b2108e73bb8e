import { discardOrder } from '../../core/orders/store/discardOrder.js';
import type { Sql } from '../../database/connection/connect.js';
import { ApiError } from '../../values/errors.js';
import { encodeId, type Uuid } from '../../values/ids.js';
import { isStorable } from '../../values/text.js';
import type { ConsoleDeps } from '../consoleDeps.js';
import type { ConsoleContext } from '../context.js';
import { askReading, findTypedReadings, readAmount, writeAmount } from '../parts/amounts.js';
import { formatMoney } from '../parts/format.js';
import { setFlash } from '../parts/layout.js';
import { requireOrder } from './loadOrder.js';

/** Characters of a form's text that are read. No id or reason is longer. */
const characters = 255;

/** Records a refund that was made in the payment system, and redirects to the order. */
export async function refundOrder(
  c: ConsoleContext,
  { storeRefund }: ConsoleDeps,
  id: Uuid,
): Promise<Response> {
  const { form, viewer, session } = c.var;
  const order = await requireOrder(c, id);
  const typed = form.amount ?? '';
  const readings = findTypedReadings(typed, order.currency, viewer.locale);
  if (readings)
    return say(
      c,
      id,
      'bad',
      `No refund is recorded. ${askReading(typed, readings, order.currency, viewer)}.`,
    );
  const amount = readAmount(typed, viewer.locale);
  const refundId = (form.refund ?? '').slice(0, characters);
  if (amount === null || amount <= 0 || refundId === '')
    return say(
      c,
      id,
      'bad',
      `No refund is recorded, because the amount is not a number above 0. Write it like ${writeAmount('1234.50', order.currency, viewer.locale)}.`,
    );
  const reason = (form.reason ?? '').trim().slice(0, characters).toWellFormed();
  try {
    await storeRefund(session.teamId, {
      refundId,
      orderId: encodeId('ord', id),
      amount,
      reason: reason !== '' && isStorable(reason) ? reason : null,
      isTest: order.isTest,
      createdAt: viewer.now.toISOString(),
    });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    const [issue] = error.issues ?? [];
    const why = issue
      ? `The ${issue.path === 'amount' ? 'amount' : 'form'} ${issue.message}.`
      : error.message;
    return say(c, id, 'bad', `No refund is recorded. ${why}`);
  }
  return say(
    c,
    id,
    'good',
    `A refund of ${formatMoney(String(amount), order.currency, viewer)} is recorded.`,
  );
}

/** Removes a test order, or an order that only pages have reported, and redirects to the list. */
export async function discardOrderOf(c: ConsoleContext, { place }: ConsoleDeps, id: Uuid): Promise<Response> {
  const { query, link } = c.var;
  const order = await requireOrder(c, id);
  const isDiscarded = await query((sql: Sql, teamId) => discardOrder(sql, place, teamId, id));
  const name = order.orderId ?? order.orderNumber;
  if (!isDiscarded) return say(c, id, 'bad', `${name} is not discarded, because a backend has reported it.`);
  setFlash(c, { words: `${name} is discarded.` });
  return c.redirect(link('/orders'), 303);
}

function say(c: ConsoleContext, id: Uuid, tone: 'good' | 'bad', words: string): Response {
  setFlash(c, { words, tone });
  return c.redirect(c.var.link(`/orders/${encodeId('ord', id)}`), 303);
}
