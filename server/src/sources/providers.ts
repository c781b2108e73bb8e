import type { Source } from '@orderbeacon/sdk/contract';
import { mapShopify } from './mapShopify.js';
import { mapStripe } from './mapStripe.js';
import { mapWooCommerce } from './mapWooCommerce.js';
import type { SourceKind } from './source.js';
import type { MapEvent } from './sourceEvent.js';

/** A provider's ways. */
export interface Provider {
  /** Its name, as it writes it. */
  name: string;
  map: MapEvent;
  /** `source` of an order, unless the report has one. */
  source: Source;
  /** Header that names the kind of event, in lower case; null where the payload does. */
  topicHeader: string | null;
  /** Events to choose in the provider's admin, in its own words. */
  events: readonly string[];
}

/** Each provider. */
export const providers: Record<SourceKind, Provider> = {
  stripe: {
    name: 'Stripe',
    map: mapStripe,
    source: 'STRIPE',
    topicHeader: null,
    // Not payment_intent.succeeded: the charge tells the same, and the buyer's email more often.
    events: [
      'checkout.session.completed',
      'checkout.session.async_payment_succeeded',
      'charge.succeeded',
      'charge.captured',
      'invoice.paid',
      'refund.created',
      'refund.updated',
    ],
  },
  shopify: {
    name: 'Shopify',
    map: mapShopify,
    source: 'OTHER',
    topicHeader: 'x-shopify-topic',
    events: ['orders/paid', 'refunds/create'],
  },
  woocommerce: {
    name: 'WooCommerce',
    map: mapWooCommerce,
    source: 'OTHER',
    topicHeader: 'x-wc-webhook-topic',
    events: ['order.created', 'order.updated'],
  },
};
