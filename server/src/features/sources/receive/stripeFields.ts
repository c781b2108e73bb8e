import { isOrderId } from '../../../core/orders/receive/repair.js';
import { type Payload, readEmail, readObject, readText } from './payload.js';
import { readVisitorId } from './visitorAttributes.js';

/** Reads the shop's id of the order from the metadata or else from `order_reference`; null if both lack it. */
export function ownId({ metadata, payment_details }: Payload): string | null {
  const { orderId, order_id } = readObject(metadata);
  const named = readText(orderId) ?? readText(order_id);
  if (named !== null && isOrderId(named)) return named;
  const reference = readText(readObject(payment_details).order_reference);
  return reference === null || stripeId.test(reference) ? null : reference;
}

/** An id of Stripe. If the shop sets no `order_reference`, Stripe fills in an id, for example of a product. */
const stripeId = /^[a-z]{2,10}_\w{8,}$/;

/** Reads an id with a prefix from a payment's `order_reference`. */
export function referenceOf({ payment_details }: Payload, prefix: 'cs' | 'in'): string | null {
  const reference = readText(readObject(payment_details).order_reference);
  return reference?.startsWith(`${prefix}_`) && stripeId.test(reference) ? reference : null;
}

/** Reads the visitor id that the shop has put into the metadata. */
export function visitorOf({ metadata }: Payload): string | null {
  return readVisitorId(readObject(metadata).visitorId);
}

/** Reads the buyer's email from a charge. */
export function emailOf({ billing_details, receipt_email }: Payload): string | null {
  return readEmail(readObject(billing_details).email) ?? readEmail(receipt_email);
}

/** Reads the recipient's name for the delivery. */
export function shippingName({ shipping, shipping_details, collected_information }: Payload): string | null {
  const details = [shipping, shipping_details, readObject(collected_information).shipping_details];
  return readText(details.map(readObject).find(({ name }) => readText(name) !== null)?.name);
}

/** Reads the id of an object, which the field contains as text or, if the endpoint expands it, as an object. */
export function idIn(value: unknown): string | null {
  return readText(value) ?? readText(readObject(value).id);
}

/**
 * Reads the currency's code in upper case.
 * @throws Error if it is missing
 */
export function currencyOf({ currency }: Payload): string {
  const code = readText(currency);
  if (code === null) throw new Error('There is no currency.');
  return code.toUpperCase();
}

/** Converts a time in seconds since 1970 into ISO 8601; null for any other value. */
export function timeOf(seconds: unknown): string | null {
  return Number.isSafeInteger(seconds) && (seconds as number) >= 0 && (seconds as number) < 1e11
    ? new Date((seconds as number) * 1000).toISOString()
    : null;
}
