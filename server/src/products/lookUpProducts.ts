import { createGroupCommit, type QueueBounds } from '../database/batch/groupCommit.js';
import type { Sql } from '../database/connection/connect.js';
import { statementsOf } from '../database/pools.js';
import type { Uuid } from '../values/ids.js';
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
  return createGroupCommit(lookUpProducts, {
    ...bounds,
    batchRows,
    statementsInFlight: statementsOf.products,
  }).submit;

  async function lookUpProducts(teamId: Uuid, requests: ProductRequest[]): Promise<FoundProductRow[]> {
    const distinct = new Map<string, number>();
    const asked: ProductRequest[] = [];
    const answerAt = requests.map((request) => {
      const question = textOf(request);
      let at = distinct.get(question);
      if (at === undefined) {
        at = asked.push(request) - 1;
        distinct.set(question, at);
      }
      return at;
    });
    const rows = await findProducts(sql, teamId, asked);
    return answerAt.map((at) => rows[at]!);
  }
}

/** Writes a request as a text that no other has: a tag holds quotes only as its ends, and the slug is the end of the text. */
function textOf({ keyHash, id, slug, seenTags }: ProductRequest): string {
  return `${keyHash} ${id} ${seenTags} ${slug}`;
}
