import { shopifyShop } from './shopifyShop.js';
import type { ShopKind } from './simulatedShop.js';
import { stripeShop } from './stripeShop.js';
import { wooCommerceShop } from './wooCommerceShop.js';
import { wooCommerceWithStripe } from './wooCommerceWithStripe.js';

/** The kinds of simulated shops, by the name of their system. */
export const shopKinds: Record<string, ShopKind> = {
  woocommerce: wooCommerceShop,
  shopify: shopifyShop,
  stripe: stripeShop,
  'woocommerce with stripe': wooCommerceWithStripe,
};
