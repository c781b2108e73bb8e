import type { Sql } from '../database/connect.js';
import { ApiError } from '../errors.js';

/** Runs a statement when it is its turn. Rejects with `unavailable` when too many wait. */
export type Ask = <Result>(statement: (sql: Sql) => PromiseLike<Result>) => Promise<Result>;

/** As many as the console has connections: a statement that is sent has one. */
const statementsAtOnce = 2;
/** Each waiting statement is a page that somebody waits for. */
const statementsWaiting = 100;

/** Bounds what the console asks of its database: two statements at once, and 100 more that wait for their turn. */
export function createTurns(sql: Sql): Ask {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async function ask(statement) {
    if (running < statementsAtOnce) running++;
    else if (waiting.length < statementsWaiting) await new Promise<void>((resolve) => waiting.push(resolve));
    else throw new ApiError('unavailable', { message: 'Too many pages of the console at once; try again.' });
    try {
      return await statement(sql);
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
