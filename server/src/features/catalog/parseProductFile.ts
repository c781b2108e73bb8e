import type { Issue } from '@orderbeacon/sdk/contract';
import type { z } from 'zod';
import { shorten } from '../../values/issues.js';
import { fromShopify } from './fromShopify.js';
import { fromWooCommerce } from './fromWooCommerce.js';
import { type ImportedProduct, plainTypes, productSchema } from './productSchema.js';

/** The valid products of an import file, and all faults of the others, by their index in the file. */
export interface ParsedProductFile {
  products: ImportedProduct[];
  issues: Issue[];
}

/**
 * Checks an import file: one product, or an array of products in the form of the look-up, of Shopify's API or of
 * WooCommerce's. For an invalid product, lists all of its invalid fields. The others are still returned.
 * @param currency the currency of products that have none
 */
export function parseProductFile(data: unknown, currency = 'USD'): ParsedProductFile {
  const parsed: ParsedProductFile = { products: [], issues: [] };
  const slugs = new Set<string>();
  for (const [at, sent] of listOf(data).entries()) {
    const mapped = fromShop(sent);
    if (mapped === null) {
      const message = 'has not the form of a product of Shopify or WooCommerce';
      parsed.issues.push(toIssue(at, { path: [], message }));
      continue;
    }
    const product = withCurrency(mapped.product, currency);
    const { data: checked, error } = productSchema.safeParse(product);
    if (error) parsed.issues.push(...issuesOf(product, error).map((issue) => toIssue(at, issue)));
    else if (slugs.has(checked.slug)) {
      const message = `must be unique, but "${checked.slug}" occurs twice`;
      parsed.issues.push(toIssue(at, { path: ['slug'], message }));
    } else {
      slugs.add(checked.slug);
      parsed.products.push(checked);
    }
  }
  return parsed;
}

/** Lists the products of a file. Shopify's are in an object: `{ "products": […] }`. */
function listOf(data: unknown): unknown[] {
  const { products, product } = (data ?? {}) as { products?: unknown; product?: unknown };
  return [products ?? product ?? data].flat();
}

/**
 * Converts a product of Shopify or WooCommerce into the import's own form, and returns any other value unchanged. Null if it has
 * the fields of such a product, but in another form.
 */
function fromShop(sent: unknown): { product: unknown } | null {
  try {
    return { product: fromShopify(sent) ?? fromWooCommerce(sent) ?? sent };
  } catch {
    return null;
  }
}

function withCurrency(product: unknown, currency: string): unknown {
  const isObject = typeof product === 'object' && product !== null && !Array.isArray(product);
  return isObject
    ? { ...product, currency: (product as { currency?: unknown }).currency ?? currency }
    : product;
}

type ZodIssue = Pick<z.core.$ZodIssue, 'path' | 'message'>;

/**
 * Lists the faults of a product. If its `type` is invalid, the product is also checked as one of a plain type, so that all other
 * faults are found.
 */
function issuesOf(product: unknown, { issues }: z.ZodError): ZodIssue[] {
  if (!issues.some(({ path }) => path[0] === 'type')) return issues;
  const plain = productSchema.safeParse({ ...(product as object), type: plainTypes[0] });
  return [...issues, ...(plain.error?.issues ?? [])];
}

function toIssue(at: number, { path, message }: ZodIssue): Issue {
  return { path: shorten([at, ...path].map(String).join('.')), message };
}
