import { decodeHTMLStrict } from 'entities/decode';

/** The fields that are read of a product of WooCommerce's REST API. */
interface WooProduct extends WooStock {
  name?: unknown;
  slug: string;
  status?: string;
  virtual?: boolean;
  downloadable?: boolean;
  price?: unknown;
  regular_price?: unknown;
  categories?: { name: string; slug?: string }[] | null;
  rating_count?: number;
  /** Ids of the variations, or the variations themselves if a program has put them here. */
  variations?: (number | WooVariation)[] | null;
}

interface WooStock {
  manage_stock?: boolean | 'parent';
  stock_quantity?: number | null;
  stock_status?: string;
}

interface WooVariation extends WooStock {
  id: number;
  sku?: string;
  price?: unknown;
  regular_price?: unknown;
  attributes?: { name: string; option: string }[] | null;
}

/** Converts a product of WooCommerce into the form of an import file; null for any other value. */
export function fromWooCommerce(sent: unknown): object | null {
  if (!isWooProduct(sent)) return null;
  const { name, slug, status, virtual, downloadable, rating_count: reviews = 0 } = sent;
  const [category] = sent.categories ?? [];
  return {
    title: nameOf(name),
    slug: decodeSlug(slug),
    type: virtual || downloadable ? 'DIGITAL' : 'PHYSICAL',
    price: priceOf(sent),
    category: category
      ? { name: nameOf(category.name), slug: category.slug && decodeSlug(category.slug) }
      : null,
    isActive: status === undefined || status === 'publish',
    counts: { reviews },
    skus: (sent.variations ?? []).filter((one) => typeof one === 'object').map(toVariant),
  };
}

function toVariant(variation: WooVariation) {
  const { id, sku } = variation;
  return {
    sku,
    price: priceOf(variation),
    inventory: inventoryOf(variation),
    variantRef: String(id),
    // An empty option stands for any value.
    options: (variation.attributes ?? [])
      .filter(({ option }) => option)
      .map(({ name, option }) => ({ group: nameOf(name), value: nameOf(option) })),
  };
}

/** Reads the price, which WooCommerce writes as text. Undefined if it is empty, as for a product that cannot be bought. */
function priceOf({ price, regular_price: regular }: { price?: unknown; regular_price?: unknown }) {
  const sent = price === '' || price === undefined ? regular : price;
  return sent === '' || sent === null || sent === undefined ? undefined : Number(sent);
}

/** Reads the units in stock; null if they are not counted, or if more may be sold. */
function inventoryOf({ manage_stock, stock_quantity, stock_status }: WooStock) {
  if (stock_status === 'outofstock') return 0;
  if (manage_stock !== true || stock_status === 'onbackorder') return null;
  // A product that is sold by weight or length may have 2.5.
  return stock_quantity === null || stock_quantity === undefined ? null : Math.floor(Number(stock_quantity));
}

/** Decodes a name, because WordPress stores some names as HTML. */
function nameOf(sent: unknown): unknown {
  return typeof sent === 'string' ? decodeHTMLStrict(sent) : sent;
}

/** Decodes a slug, because WordPress percent-encodes letters of other scripts. */
function decodeSlug(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}

function isWooProduct(sent: unknown): sent is WooProduct {
  const product = (sent ?? {}) as Record<string, unknown>;
  return typeof product.slug === 'string' && 'regular_price' in product && 'stock_status' in product;
}
