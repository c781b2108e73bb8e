import type { SourceKind } from '../../../src/features/sources/source.js';
import type { ShopKind } from './simulatedShop.js';
import { wooCommerceShop } from './wooCommerceShop.js';

/** The simulated shop of each provider. */
export const shopKinds: Record<SourceKind, ShopKind> = {
  woocommerce: wooCommerceShop,
  shopify: wooCommerceShop,
  stripe: wooCommerceShop,
};
