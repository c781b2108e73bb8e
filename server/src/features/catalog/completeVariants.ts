import type { Variant } from '@orderbeacon/sdk/contract';
import { encodeId, newUuid } from '../../values/ids.js';
import { limits } from '../../values/limits.js';
import type { ImportedProduct } from './productSchema.js';

/** A variant as it is stored. */
export type StoredVariant = Omit<Variant, 'isSoldOut' | 'buyPath' | 'buyUrl'>;

type ImportedVariant = ImportedProduct['skus'][number];

/**
 * Fills in the missing skus and references of an imported product's variants. A variant that is stored already keeps its id.
 *
 * The stored variant of an imported one has the same sku, or else the same reference. If several have the same sku, the first is
 * matched with the first, and so on.
 *
 * A variant that the file gives no reference gets the reference of its stored variant, because shops link to it, unless another
 * variant has taken it. Otherwise it gets a new one, made from its sku, its options or its title. A variant without a sku gets its
 * reference as the sku.
 */
export function completeVariants(
  { skus, price }: ImportedProduct,
  stored: readonly StoredVariant[],
): StoredVariant[] {
  const known = matchVariants(skus, stored);
  const refs = new Map<ImportedVariant, string>();
  const taken = new Set<string>();
  const assign = (variant: ImportedVariant, ref: string) => {
    refs.set(variant, ref);
    taken.add(ref);
  };
  for (const variant of skus) if (variant.variantRef !== undefined) assign(variant, variant.variantRef);
  for (const variant of skus) {
    const ref = known.get(variant)?.variantRef;
    if (ref !== undefined && !refs.has(variant) && !taken.has(ref)) assign(variant, ref);
  }
  for (const variant of skus) {
    if (refs.has(variant)) continue;
    const word = wordOf(variant);
    let ref = word;
    for (let n = 2; taken.has(ref); n++) ref = `${word}-${n}`;
    assign(variant, ref);
  }
  const variants = skus.map((variant, at): StoredVariant => {
    const variantRef = refs.get(variant)!;
    const sku = variant.sku ?? variantRef;
    return {
      id: known.get(variant)?.id ?? encodeId('sku', newUuid()),
      sku,
      title: variant.title ?? (valuesOf(variant) || sku),
      price: variant.price ?? price,
      inventory: variant.inventory ?? 0,
      tracksInventory: variant.tracksInventory ?? variant.inventory !== null,
      unitsGranted: variant.unitsGranted,
      sortOrder: variant.sortOrder ?? at,
      isRetired: variant.isRetired,
      options: variant.options,
      variantRef,
    };
  });
  return variants.sort((a, b) => a.sortOrder - b.sortOrder);
}

/** Finds the stored variant of each imported one. */
function matchVariants(skus: readonly ImportedVariant[], stored: readonly StoredVariant[]) {
  const left = new Set(stored);
  const found = new Map<ImportedVariant, StoredVariant>();
  const match = (variant: ImportedVariant, isIt: (one: StoredVariant) => boolean) => {
    const one = found.has(variant) ? undefined : [...left].find(isIt);
    if (!one) return;
    found.set(variant, one);
    left.delete(one);
  };
  for (const variant of skus) match(variant, ({ sku }) => sku === variant.sku);
  for (const variant of skus) {
    const word = wordOf(variant);
    match(variant, ({ variantRef: ref }) => {
      if (variant.variantRef !== undefined) return ref === variant.variantRef;
      return variant.sku === null && ref.startsWith(word) && /^(-\d+)?$/.test(ref.slice(word.length));
    });
  }
  return found;
}

function wordOf(variant: ImportedVariant): string {
  return slugify(variant.sku ?? (valuesOf(variant) || (variant.title ?? 'variant')));
}

function valuesOf({ options }: ImportedVariant): string {
  return options.map(({ value }) => value).join(' / ');
}

/** Converts a name into lower-case letters, digits and dashes for a link. */
export function slugify(name: string): string {
  const plain = name.slice(0, limits.id).normalize('NFKD').toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '') || 'x';
}
