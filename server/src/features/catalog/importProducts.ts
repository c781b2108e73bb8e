import { findTeam } from '../../core/teams/sql/team.js';
import type { Sql } from '../../database/connection/connect.js';
import { inTransaction } from '../../database/inTransaction.js';
import { entityTag } from '../../values/body.js';
import { newUuid, type Uuid } from '../../values/ids.js';
import { type CategoryIds, categoryKey, type ProductDocument, toDocument } from './productDocument.js';
import { listProducts, type ProductRow, storeProduct } from './productRows.js';
import type { ImportedProduct } from './productSchema.js';
import { toProduct } from './toProduct.js';

type KnownProduct = Awaited<ReturnType<typeof listProducts>>[number];

/**
 * Imports checked products into a team, all or none. A known slug updates that product. If a product does not change,
 * its `updatedAt` and ETag stay. Resolves with ids and slugs in the order of the file.
 */
export async function importProducts(
  sql: Sql,
  teamId: Uuid,
  products: ImportedProduct[],
): Promise<{ id: Uuid; slug: string }[]> {
  return inTransaction(sql, async (tx) => {
    const { storefrontUrl } = (await findTeam(tx, teamId, { lock: true }))!;
    const rows = await listProducts(tx, teamId);
    const known = new Map(rows.map((row) => [row.slug, row]));
    const categoryIds: CategoryIds = new Map();
    const remember = ({ category }: ProductDocument) => {
      if (category) categoryIds.set(categoryKey(category), category.id);
    };
    const documents = new Map(rows.map((row) => [row.slug, JSON.parse(row.document) as ProductDocument]));
    for (const document of documents.values()) remember(document);
    const stored: { id: Uuid; slug: string }[] = [];
    for (const product of products) {
      const row = known.get(product.slug);
      const document = toDocument(product, documents.get(product.slug) ?? null, categoryIds);
      remember(document);
      const next = buildRow(document, row, storefrontUrl);
      if (next) await storeProduct(tx, teamId, next);
      stored.push({ id: (next ?? row)!.id, slug: product.slug });
    }
    return stored;
  });
}

/** Rebuilds the stored bodies of a team's products after a change of its storefront URL. */
export async function rebuildProducts(sql: Sql, teamId: Uuid, storefrontUrl: string): Promise<void> {
  for (const row of await listProducts(sql, teamId)) {
    const next = buildRow(JSON.parse(row.document) as ProductDocument, row, storefrontUrl);
    if (next) await storeProduct(sql, teamId, next);
  }
}

/** Builds the row to store; null if the stored row would not change. */
function buildRow(
  document: ProductDocument,
  known: KnownProduct | undefined,
  storefrontUrl: string,
): ProductRow | null {
  const now = new Date().toISOString();
  const id = known?.id ?? newUuid();
  const createdAt = known?.createdAt.toISOString() ?? now;
  const bodyAt = (updatedAt: string) =>
    JSON.stringify({ success: true, data: toProduct(document, { id, createdAt, updatedAt, storefrontUrl }) });
  if (known && bodyAt(known.updatedAt.toISOString()) === known.body) return null;
  const body = bodyAt(now);
  const etag = entityTag(body);
  return {
    id,
    slug: document.slug,
    document: JSON.stringify(document),
    body,
    etag,
    createdAt,
    updatedAt: now,
  };
}
