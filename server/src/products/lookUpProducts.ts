import type { Sql } from '../database/connection/connect.js';
import type { Uuid } from '../values/ids.js';
import { type FoundProductRow, findProducts, type ProductRequest } from './sql/findProducts.js';

/**
 * Looks up products of one team in one statement. Equal requests share one row of the statement, so a product
 * that many callers want at once is fetched once.
 */
export function createLookUpProducts(sql: Sql) {
  return async function lookUpProducts(teamId: Uuid, requests: ProductRequest[]): Promise<FoundProductRow[]> {
    const distinct = new Map<string, number>();
    const asked: ProductRequest[] = [];
    const answerAt = requests.map((request) => {
      const question = JSON.stringify(request);
      let at = distinct.get(question);
      if (at === undefined) {
        at = asked.push(request) - 1;
        distinct.set(question, at);
      }
      return at;
    });
    const rows = await findProducts(sql, teamId, asked);
    return answerAt.map((at) => rows[at]!);
  };
}
