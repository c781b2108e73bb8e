/** The fields that are read of a product of Shopify's API, or of a shop's `/products.json` or `/products/….js`. */
interface ShopifyProduct {
  title?: unknown;
  handle: string;
  product_type?: string;
  status?: string;
  /** Objects, or only names if a theme has written them. */
  options?: ({ name: string } | string)[] | null;
  /** Present only in the form of a theme, whose prices are in cents. */
  price_varies?: unknown;
  variants: ShopifyVariant[];
}

interface ShopifyVariant {
  id?: number | string;
  title?: string;
  sku?: string | null;
  price?: unknown;
  position?: number | null;
  /** Name of the system that counts the stock. Null if Shopify does not count it; absent in `/products.json`. */
  inventory_management?: string | null;
  inventory_policy?: string;
  inventory_quantity?: number;
  available?: boolean;
  requires_shipping?: boolean;
  option1?: string | null;
  option2?: string | null;
  option3?: string | null;
}

/** Title of the only variant of a product without variants. */
const onlyVariant = 'Default Title';

/**
 * Converts a product of Shopify into the form of an import file; null for any other value. Its variants keep Shopify's ids as
 * references, which Shopify's links contain.
 */
export function fromShopify(sent: unknown): object | null {
  if (!isShopifyProduct(sent)) return null;
  const { title, handle, product_type: category, status, variants } = sent;
  const options = (sent.options ?? []).map((option) => (typeof option === 'string' ? option : option.name));
  const unit = sent.price_varies === undefined ? 1 : 100;
  const prices = variants.map(({ price }) => priceOf(price, unit));
  const priced = prices.filter((price) => price !== undefined);
  const hasOne = variants.length === 1 && variants[0]!.title === onlyVariant;
  return {
    title,
    slug: handle,
    type:
      variants.length > 0 && variants.every((one) => one.requires_shipping === false)
        ? 'DIGITAL'
        : 'PHYSICAL',
    ...(priced.length > 0 && { price: Math.min(...priced) }),
    category: category ? { name: category } : null,
    isActive: status === undefined || status === 'active',
    skus: hasOne
      ? []
      : variants.map((variant, at) => ({ ...toVariant(variant, options), price: prices[at] })),
  };
}

function toVariant(variant: ShopifyVariant, options: string[]) {
  const values = [variant.option1, variant.option2, variant.option3];
  return {
    sku: variant.sku,
    title: variant.title,
    inventory: inventoryOf(variant),
    ...(typeof variant.position === 'number' && { sortOrder: variant.position }),
    ...(variant.id !== undefined && { variantRef: String(variant.id) }),
    options: options.flatMap((group, at) => (values[at] ? [{ group, value: values[at] }] : [])),
  };
}

/** Reads the price of a variant; undefined if it is missing. */
function priceOf(price: unknown, unit: number): number | undefined {
  return price === null || price === undefined || price === '' ? undefined : Number(price) / unit;
}

/** Reads the units in stock; null if they are not counted, or if more may be sold. */
function inventoryOf({
  inventory_management,
  inventory_policy,
  inventory_quantity,
  available,
}: ShopifyVariant) {
  if (available !== undefined) return available ? null : 0;
  return inventory_management && inventory_policy !== 'continue' ? (inventory_quantity ?? null) : null;
}

function isShopifyProduct(sent: unknown): sent is ShopifyProduct {
  const { handle, variants } = (sent ?? {}) as { handle?: unknown; variants?: unknown };
  return typeof handle === 'string' && Array.isArray(variants);
}
