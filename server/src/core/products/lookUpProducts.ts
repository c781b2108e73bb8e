import type { Sql } from '../../database/connection/connect.js';
import { pairRows } from '../../database/pairRows.js';
import { statementsOf } from '../../database/pools.js';
import { createGroupCommit, type QueueBounds } from '../../database/queue.js';
import type { Uuid } from '../../values/ids.js';
import { type FoundProductRow, findProducts, type ProductRequest } from './productRows.js';

/** Looks up a product of a team that exists; the result was true at some time after the call. See `findProducts`. */
export type FindProduct = (teamId: Uuid, request: ProductRequest) => Promise<FoundProductRow>;

/** One statement may answer with as many whole products as it has rows. */
const batchRows = 64;

/**
 * Looks up products of one team in one statement. Equal requests share one row of the statement, so that a product that
 * many callers want concurrently is fetched once.
 */
export function createFindProduct(sql: Sql, bounds: QueueBounds): FindProduct {
  /** The number of the last request; no two statements ask for the same one. */
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

/** Writes a request as a text that no other has: a tag holds quotes only as its ends, and the slug is the end of the text. */
function textOf({ keyHash, id, slug, seenTags }: ProductRequest): string {
  return `${keyHash} ${id} ${seenTags} ${slug}`;
}
