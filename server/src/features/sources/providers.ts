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

/** Properties of a provider. */
export interface Provider {
  /** Name of the provider, spelled as the provider does. */
  name: string;
  map: MapEvent;
  /** Set if each event of an order contains the whole order, so that a missing value was removed. */
  saysAll: boolean;
  /** `source` of an order if the provider's report states none. */
  source: Source;
  /** The request header that names the kind of event, in lower case; null if the payload names it. */
  topicHeader: string | null;
  /** Events to choose in the provider's admin, as it names them. */
  events: readonly string[];
  /** Set if the shop's owner may enter any text as the secret. Otherwise the provider makes the secret. */
  takesAnySecret: boolean;
  /** The API that is asked for orders that no webhook sent. */
  api: ShopApi;
}

/** The properties of each provider. */
export const providers: Record<SourceKind, Provider> = {
  stripe: {
    name: 'Stripe',
    map: mapStripe,
    saysAll: false,
    takesAnySecret: false,
    api: askStripe,
    source: 'STRIPE',
    topicHeader: null,
    // Without `payment_intent.succeeded`: the charge contains the same, and more often the buyer's email.
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
      // With an API version before 2024-10-28, Stripe sends the three above only for refunds without a charge.
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
