import { limits } from '../../../values/limits.js';
import { type Payload, readObject, readObjects, readText, withoutEmpty } from './payload.js';
import { stripeAmount } from './stripeAmount.js';
import { idIn } from './stripeFields.js';

/**
 * Reads the lines of an invoice or a Checkout session. Stripe sends a session's lines only if the endpoint expands
 * them. Values of a line that cannot be read are left out, because a line never refuses an order.
 */
export function readStripeItems(lines: unknown, currency: string): Payload[] {
  return readObjects(readObject(lines).data)
    .slice(0, limits.items)
    .map((line) => {
      const price = readObject(line.price);
      const quantity = typeof line.quantity === 'number' && line.quantity > 0 ? line.quantity : null;
      return withoutEmpty({
        // Since the API of 2025-03-31, an invoice's line has no `price`.
        productId: idIn(price.product) ?? idIn(readObject(readObject(line.pricing).price_details).product),
        sku: readText(readObject(price.metadata).sku),
        name: readText(line.description),
        quantity,
        price: unitPrice(price.unit_amount, 1) ?? unitPrice(line.amount_total ?? line.amount, quantity ?? 1),
      });
    });

  function unitPrice(amount: unknown, quantity: number): number | null {
    try {
      return Number(stripeAmount(amount, currency)) / quantity;
    } catch {
      return null;
    }
  }
}
