import { isOrderId } from '../../../core/orders/receive/repair.js';
import { type Payload, readEmail, readObject, readText } from './payload.js';
import { readVisitorId } from './visitorAttributes.js';

/** Reads the shop's own id of the order. */
export function ownId({ metadata, payment_details }: Payload): string | null {
  const { orderId, order_id } = readObject(metadata);
  const named = readText(orderId) ?? readText(order_id);
  if (named !== null && isOrderId(named)) return named;
  const reference = readText(readObject(payment_details).order_reference);
  return reference === null || stripeId.test(reference) ? null : reference;
}

/** Stripe fills in `order_reference` itself where the shop does not, with the id of a product among others. */
const stripeId = /^[a-z]{2,10}_\w{8,}$/;

/** Reads an id with that prefix from a payment's `order_reference`. */
export function referenceOf({ payment_details }: Payload, prefix: 'cs' | 'in'): string | null {
  const reference = readText(readObject(payment_details).order_reference);
  return reference?.startsWith(`${prefix}_`) && stripeId.test(reference) ? reference : null;
}

/** Reads the visitor that the shop has handed over. */
export function visitorOf({ metadata }: Payload): string | null {
  return readVisitorId(readObject(metadata).visitorId);
}

/** Reads the buyer's email from a charge. */
export function emailOf({ billing_details, receipt_email }: Payload): string | null {
  return readEmail(readObject(billing_details).email) ?? readEmail(receipt_email);
}

/** Reads the name that the buyer gave for the delivery. */
export function shippingName({ shipping, shipping_details, collected_information }: Payload): string | null {
  const details = [shipping, shipping_details, readObject(collected_information).shipping_details];
  return readText(details.map(readObject).find(({ name }) => readText(name) !== null)?.name);
}

/** Reads the id of an object that is named or, where the endpoint expands it, held. */
export function idIn(value: unknown): string | null {
  return readText(value) ?? readText(readObject(value).id);
}

/**
 * Reads the currency's code, in upper case.
 * @throws Error without one
 */
export function currencyOf({ currency }: Payload): string {
  const code = readText(currency);
  if (code === null) throw new Error('There is no currency.');
  return code.toUpperCase();
}

/** Reads a time in seconds since 1970, as ISO 8601; null for anything else. */
export function timeOf(seconds: unknown): string | null {
  return Number.isSafeInteger(seconds) && (seconds as number) >= 0 && (seconds as number) < 1e11
    ? new Date((seconds as number) * 1000).toISOString()
    : null;
}
