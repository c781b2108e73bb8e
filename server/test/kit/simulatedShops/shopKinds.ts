import type { SourceKind } from '../../../src/features/sources/source.js';
import { shopifyShop } from './shopifyShop.js';
import type { ShopKind } from './simulatedShop.js';
import { stripeShop } from './stripeShop.js';
import { wooCommerceShop } from './wooCommerceShop.js';

/** The simulated shop of each provider. */
export const shopKinds: Record<SourceKind, ShopKind> = {
  woocommerce: wooCommerceShop,
  shopify: shopifyShop,
  stripe: stripeShop,
};
