import type { OptionGroup, Product } from '@orderbeacon/sdk/contract';
import { encodeId, type IdPrefix, newUuid } from '../../values/ids.js';
import { completeVariants, type StoredVariant, slugify } from './completeVariants.js';
import type { ImportedProduct } from './productSchema.js';

/** A product as it is stored: the answer of a look-up without its derived fields and the columns of the row. */
export type ProductDocument = DistributiveOmit<
  Product,
  'id' | 'createdAt' | 'updatedAt' | 'hasVariants' | 'buyUrl' | 'productPageUrl' | 'skus'
> & {
  skus: StoredVariant[];
};

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** Ids of a team's categories, by `categoryKey`. */
export type CategoryIds = Map<string, string>;

/**
 * Returns the key of a category. Two categories of the same name with different slugs, such as men's and women's shoes,
 * are different.
 */
export function categoryKey({ name, slug }: { name: string; slug: string }): string {
  return JSON.stringify([name, slug]);
}

/**
 * Completes an imported product, with default values for missing fields. Option groups and values are matched with the
 * stored ones by name, and variants by `completeVariants`. Matched ones keep their ids, and new ones get ids. A
 * category gets the id that it has in the team's other products.
 */
export function toDocument(
  imported: ImportedProduct,
  stored: ProductDocument | null,
  categoryIds: CategoryIds = new Map(),
): ProductDocument {
  const optionGroups = completeGroups(imported, stored?.optionGroups ?? []);
  const skus = completeVariants(imported, stored?.skus ?? []);
  const category = imported.category && completeCategory(imported.category, stored, categoryIds);
  return {
    ...imported,
    category,
    exposesVariants: imported.exposesVariants ?? skus.length > 0,
    requiresVariantSelection: imported.requiresVariantSelection ?? skus.length > 0,
    optionGroups,
    skus,
  };
}

function completeCategory(
  { id, name, slug = slugify(name) }: NonNullable<ImportedProduct['category']>,
  stored: ProductDocument | null,
  categoryIds: CategoryIds,
) {
  const key = categoryKey({ name, slug });
  const kept = stored?.category && categoryKey(stored.category) === key ? stored.category.id : undefined;
  return { id: id ?? kept ?? categoryIds.get(key) ?? newId('cat'), name, slug };
}

function completeGroups(imported: ImportedProduct, stored: OptionGroup[]): OptionGroup[] {
  const given = imported.optionGroups.length > 0 ? imported.optionGroups : groupsOfVariants(imported);
  const known = byName(stored, ({ name }) => name);
  const groups = given.map((group, order) => {
    const knownGroup = known.get(group.name);
    const knownValues = byName(knownGroup?.values ?? [], ({ name }) => name);
    const values = group.values.map((value, at) => ({
      id: knownValues.get(value.name)?.id ?? newId('val'),
      name: value.name,
      order: value.order ?? at,
    }));
    return {
      id: knownGroup?.id ?? newId('grp'),
      name: group.name,
      order: group.order ?? order,
      values: values.sort((a, b) => a.order - b.order),
    };
  });
  return groups.sort((a, b) => a.order - b.order);
}

function groupsOfVariants({ skus }: ImportedProduct): ImportedProduct['optionGroups'] {
  const groups = new Map<string, Set<string>>();
  for (const { group, value } of skus.flatMap(({ options }) => options)) {
    groups.set(group, (groups.get(group) ?? new Set()).add(value));
  }
  return [...groups].map(([name, values]) => ({
    name,
    values: [...values].map((value) => ({ name: value })),
  }));
}

function byName<T>(things: T[], nameOf: (thing: T) => string): Map<string, T> {
  return new Map(things.map((thing) => [nameOf(thing), thing]));
}

function newId(prefix: IdPrefix): string {
  return encodeId(prefix, newUuid());
}
