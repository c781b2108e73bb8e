import type { Source } from '@orderbeacon/sdk/contract';
import { askShopify } from './ask/askShopify.js';
import { askStripe } from './ask/askStripe.js';
import { askWooCommerce } from './ask/askWooCommerce.js';
import type { ShopApi } from './ask/shopApi.js';
import { mapShopify } from './receive/mapShopify.js';
import { mapStripe } from './receive/mapStripe.js';
import { mapWooCommerce } from './receive/mapWooCommerce.js';
import type { MapEvent } from './receive/sourceEvent.js';
import type { SourceKind } from './source.js';

/** A provider's ways. */
export interface Provider {
  /** Its name, as it writes it. */
  name: string;
  map: MapEvent;
  /** True where each event about an order says all of it, so that what is missing is gone. */
  saysAll: boolean;
  /** `source` of an order, unless the report has one. */
  source: Source;
  /** Header that names the kind of event, in lower case; null where the payload does. */
  topicHeader: string | null;
  /** Events to choose in the provider's admin, in its own words. */
  events: readonly string[];
  /** True where the shop's owner enters a secret of any text; false where the provider makes it. */
  takesAnySecret: boolean;
  /** How it is asked for what no webhook brought. */
  api: ShopApi;
}

/** Each provider. */
export const providers: Record<SourceKind, Provider> = {
  stripe: {
    name: 'Stripe',
    map: mapStripe,
    saysAll: false,
    takesAnySecret: false,
    api: askStripe,
    source: 'STRIPE',
    topicHeader: null,
    // Not payment_intent.succeeded: the charge tells the same, and the buyer's email more often.
    events: [
      'checkout.session.completed',
      'checkout.session.async_payment_succeeded',
      'charge.succeeded',
      'charge.captured',
      'invoice.paid',
      'invoice_payment.paid',
      'refund.created',
      'refund.updated',
      'refund.failed',
      // With an API version before 2024-10-28 Stripe sends the three above for refunds without a charge alone.
      'charge.refunded',
      'charge.refund.updated',
      'charge.dispute.closed',
    ],
  },
  shopify: {
    name: 'Shopify',
    map: mapShopify,
    saysAll: true,
    takesAnySecret: false,
    api: askShopify,
    source: 'OTHER',
    topicHeader: 'x-shopify-topic',
    events: ['orders/paid', 'refunds/create', 'disputes/update'],
  },
  woocommerce: {
    name: 'WooCommerce',
    map: mapWooCommerce,
    saysAll: true,
    takesAnySecret: true,
    api: askWooCommerce,
    source: 'OTHER',
    topicHeader: 'x-wc-webhook-topic',
    events: ['order.created', 'order.updated'],
  },
};
