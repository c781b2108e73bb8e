import { shopifyShop } from './shopifyShop.js';
import type { ShopKind } from './simulatedShop.js';
import { stripeShop } from './stripeShop.js';
import { wooCommerceShop } from './wooCommerceShop.js';
import { wooCommerceWithStripe } from './wooCommerceWithStripe.js';

/** The simulated shops, by what they run on. */
export const shopKinds: Record<string, ShopKind> = {
  woocommerce: wooCommerceShop,
  shopify: shopifyShop,
  stripe: stripeShop,
  'woocommerce with stripe': wooCommerceWithStripe,
};
