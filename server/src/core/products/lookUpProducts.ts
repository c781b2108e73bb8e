import type { Sql } from '../../database/connection/connect.js';
import { pairRows } from '../../database/pairRows.js';
import { statementsOf } from '../../database/pools.js';
import { createGroupCommit, type QueueBounds } from '../../database/queue.js';
import type { Uuid } from '../../values/ids.js';

/** A look-up of a team's product, by id or slug. */
export interface ProductRequest {
  /** SHA-256 of the API key of the request. */
  keyHash: string;
  id: Uuid | null;
  slug: string;
  /** Entity tags of bodies that need not be fetched; `*` means every tag. */
  seenTags: string[];
}

export interface FoundProductRow {
  /** The number of the request. */
  number: number;
  isKeyLive: boolean;
  /** Entity tag of the product's body; null if there is no such product. */
  etag: string | null;
  /** The product's body; null if there is no such product, or if its tag is in `seenTags`. */
  body: string | null;
}

/** Looks up a product. The result was true at some time after the call. The team must exist. See `findProducts`. */
export type FindProduct = (teamId: Uuid, request: ProductRequest) => Promise<FoundProductRow>;

/** Most rows of one statement. Each row may contain a whole product. */
const batchRows = 64;

/**
 * Creates the function that looks up products. Concurrent requests of one team share a statement. Equal ones share a row of it, so
 * that a product in demand is fetched once.
 */
export function createFindProduct(sql: Sql, bounds: QueueBounds): FindProduct {
  /** The number of the last request. It is unique across statements. */
  let lastNumber = 0;
  return createGroupCommit(lookUpProducts, {
    ...bounds,
    batchRows,
    statementsInFlight: statementsOf.products,
  }).submit;

  async function lookUpProducts(teamId: Uuid, requests: ProductRequest[]): Promise<FoundProductRow[]> {
    const asked = new Map<string, ProductRequest & { number: number }>();
    const numbers = requests.map((request) => {
      const question = textOf(request);
      const known = asked.get(question);
      if (known) return known.number;
      asked.set(question, { number: ++lastNumber, ...request });
      return lastNumber;
    });
    return pairRows(numbers, await findProducts(sql, teamId, [...asked.values()]), ({ number }) => number);
  }
}

/**
 * Returns a text by which equal requests are recognized. Different requests have different texts, because a tag has quotes only at its
 * ends and the slug comes last.
 */
function textOf({ keyHash, id, slug, seenTags }: ProductRequest): string {
  return `${keyHash} ${id} ${seenTags} ${slug}`;
}

/**
 * Checks API keys and fetches the stored bodies of one team's products by id or slug, in one statement. Resolves with one row per
 * request, in any order. A body whose tag is in `seenTags` is not sent.
 */
function findProducts(sql: Sql, teamId: Uuid, requests: (ProductRequest & { number: number })[]) {
  return sql<FoundProductRow[]>`/* findProducts */
    select number, exists (select from api_key where hash = "keyHash" and revoked_at is null) as "isKeyLive",
      product.etag,
      case when not product.etag = any("seenTags") and not '*' = any("seenTags") then product.body end as body
    from json_to_recordset(${JSON.stringify(requests)}::text::json) as request (
      number float8, "keyHash" text, id uuid, slug text, "seenTags" text[]
    )
    left join lateral (
      select etag, body from product
      where team_id = ${teamId} and (product.id = request.id or product.slug = request.slug)
      limit 1
    ) product on true`;
}
