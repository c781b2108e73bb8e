import type { Product } from '@orderbeacon/sdk/contract';
import { encodeId } from '../../values/ids.js';
import type { ProductDocument } from './productDocument.js';

/** Builds the product that a look-up answers. Its links begin with the team's storefront URL. */
export function toProduct(
  document: ProductDocument,
  row: { id: string; createdAt: string; updatedAt: string; storefrontUrl: string },
): Product {
  const { title, slug, type, pricingType, price, currency, category, isActive, ...rest } = document;
  const { exposesVariants, requiresVariantSelection, optionGroups, counts, skus, ...ofItsType } = rest;
  const buyPath = `/buy/${encodeURIComponent(slug)}`;
  return {
    id: encodeId('prd', row.id),
    title,
    slug,
    type,
    pricingType,
    price,
    currency,
    category,
    isActive,
    hasVariants: skus.length > 0,
    exposesVariants,
    requiresVariantSelection,
    buyUrl: row.storefrontUrl + buyPath,
    productPageUrl: `${row.storefrontUrl}/products/${encodeURIComponent(slug)}`,
    ...ofItsType,
    optionGroups,
    counts,
    skus: skus.map(({ id, sku, title, price, inventory, tracksInventory, ...more }) => {
      const path = `${buyPath}?variant=${encodeURIComponent(more.variantRef)}`;
      const isSoldOut = tracksInventory && inventory <= 0;
      return {
        id,
        sku,
        title,
        price,
        inventory,
        tracksInventory,
        isSoldOut,
        ...more,
        buyPath: path,
        buyUrl: row.storefrontUrl + path,
      };
    }),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  } as Product;
}
