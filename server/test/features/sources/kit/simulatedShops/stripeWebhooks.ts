import {
  charge,
  dispute,
  invoice,
  invoicePayment,
  payment,
  refund,
  session,
  stripeEvent,
} from '../stripeSamples.js';
import type { Message } from './simulatedShop.js';
import {
  firstShare,
  hasSession,
  invoiceId,
  numberOf,
  type Payment,
  type Purchase,
  paidOf,
  type StripeHabits,
  sessionId,
} from './stripePurchase.js';

const seconds = (ms: number) => Math.floor(ms / 1_000);

/** Creates functions that write events as Stripe does. */
export function createStripeWebhooks(habits: StripeHabits, newId: (prefix: string) => string) {
  const { currency, numbered, isBasil, choosesPayments } = habits;
  return { pay, sessionEvent, refundEvent, disputeEvent };

  /** Makes the metadata of an object. It has the number if the shop writes it there. */
  function metadataOf(purchase: Purchase, of: 'session' | 'payment') {
    return numbered === 'both' || numbered === of ? { orderId: numberOf(purchase, habits) } : {};
  }

  /** Makes the event of a Checkout session that was completed before it is paid. */
  function sessionEvent(purchase: Purchase, nowMs: number): Message {
    return eventOf('checkout.session.completed', sessionOf(purchase, true), nowMs);
  }

  function eventOf(type: string, object: Record<string, unknown>, atMs: number): Message {
    const id = newId('evt');
    const payload = stripeEvent(type, object, {
      id,
      created: seconds(atMs),
      api_version: isBasil ? '2025-03-31.basil' : '2024-06-20',
    });
    return { by: 'webhook', from: 'stripe', topic: null, payload };
  }

  function sessionOf(purchase: Purchase, isUnpaid = false): Record<string, unknown> {
    const { form, total, email, placedMs, payments } = purchase;
    const isSubscription = form === 'subscription';
    return session({
      id: sessionId(purchase),
      amount_subtotal: total,
      amount_total: total,
      created: seconds(placedMs),
      currency: currency.toLowerCase(),
      customer_details: { email, name: 'Ann Example' },
      invoice: isSubscription ? invoiceId(purchase) : null,
      metadata: metadataOf(purchase, 'session'),
      mode: isSubscription ? 'subscription' : 'payment',
      payment_intent: isSubscription ? null : `pi_${payments[0]?.id ?? `of_purchase_${purchase.at}`}`,
      payment_status: isUnpaid ? 'unpaid' : 'paid',
      total_details: null,
    });
  }

  function invoiceOf(purchase: Purchase, second = false): Record<string, unknown> {
    const { form, total, email, placedMs, payments } = purchase;
    const isOfTwo = form === 'two invoices';
    const amount = !isOfTwo ? total : second ? total - firstShare(purchase) : firstShare(purchase);
    const last = payments.at(-1)!;
    return invoice({
      id: invoiceId(purchase, second),
      amount_due: amount,
      amount_paid: amount,
      billing_reason: form === 'subscription' ? 'subscription_create' : 'manual',
      created: seconds(placedMs),
      currency: currency.toLowerCase(),
      customer_email: email,
      // The session of a subscription has the number, and its invoice has not.
      metadata: form === 'subscription' || isOfTwo ? {} : metadataOf(purchase, 'session'),
      lines: { object: 'list', data: [] },
      parent: null,
      ...(!isBasil && { payment_intent: `pi_${last.id}`, charge: `ch_${last.id}` }),
    });
  }

  /** Makes the events of one payment, in Stripe's order. */
  function pay(purchase: Purchase, amount: number, nowMs: number): Message[] {
    const { form, chargeEmail, total } = purchase;
    const isOfInvoice = ['subscription', 'invoice', 'two invoices'].includes(form);
    const id = form === 'slow' || form === 'session' ? `of_purchase_${purchase.at}` : newId('of').slice(3);
    const paid: Payment = { id, amount, atMs: nowMs, refunds: [], dispute: null };
    purchase.payments.push(paid);
    const created = seconds(nowMs);
    const common = {
      amount,
      created,
      currency: currency.toLowerCase(),
      metadata: form === 'two invoices' ? {} : metadataOf(purchase, 'payment'),
      ...(isOfInvoice && !isBasil && { invoice: invoiceId(purchase) }),
    };
    const messages = [
      eventOf(
        'charge.succeeded',
        charge({
          ...common,
          id: `ch_${id}`,
          amount_captured: amount,
          billing_details: { email: chargeEmail, name: null },
          payment_intent: `pi_${id}`,
        }),
        nowMs,
      ),
    ];
    if (choosesPayments) {
      const intent = {
        id: `pi_${id}`,
        amount_received: amount,
        latest_charge: `ch_${id}`,
        receipt_email: null,
      };
      messages.push(eventOf('payment_intent.succeeded', payment({ ...common, ...intent }), nowMs));
    }
    const link = (part: number, second = false) =>
      eventOf(
        'invoice_payment.paid',
        invoicePayment({
          id: newId('inpay'),
          amount_paid: part,
          amount_requested: part,
          created,
          currency: currency.toLowerCase(),
          invoice: invoiceId(purchase, second),
          payment: { payment_intent: `pi_${id}`, type: 'payment_intent' },
        }),
        nowMs,
      );
    if (form === 'two invoices') {
      const first = firstShare(purchase);
      messages.push(link(first), link(amount - first, true));
      for (const second of [false, true])
        messages.push(eventOf('invoice.paid', invoiceOf(purchase, second), nowMs));
    } else if (isOfInvoice) {
      if (isBasil) messages.push(link(amount));
      if (paidOf(purchase) === total) messages.push(eventOf('invoice.paid', invoiceOf(purchase), nowMs));
    }
    const type = form === 'slow' ? 'checkout.session.async_payment_succeeded' : 'checkout.session.completed';
    if (hasSession(purchase)) messages.push(eventOf(type, sessionOf(purchase), nowMs));
    return messages;
  }

  function refundEvent(type: string, paid: Payment, at: number, nowMs: number): Message {
    const { id, amount, status, atMs } = paid.refunds[at]!;
    const of = {
      charge: `ch_${paid.id}`,
      payment_intent: `pi_${paid.id}`,
      currency: currency.toLowerCase(),
    };
    return eventOf(type, refund({ ...of, id, amount, status, created: seconds(atMs) }), nowMs);
  }

  function disputeEvent(paid: Payment, nowMs: number): Message {
    const { id, amount, status, atMs } = paid.dispute!;
    const of = {
      charge: `ch_${paid.id}`,
      payment_intent: `pi_${paid.id}`,
      currency: currency.toLowerCase(),
    };
    return eventOf(
      'charge.dispute.closed',
      dispute({ ...of, id, amount, status, created: seconds(atMs) }),
      nowMs,
    );
  }
}
