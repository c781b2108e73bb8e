import type { Sql } from '../database/connection/connect.js';
import { ApiError } from '../values/errors.js';

/** Runs a statement when it is its turn. Rejects with `unavailable` when too many wait. */
export type Ask = <Result>(statement: (sql: Sql) => PromiseLike<Result>) => Promise<Result>;

/** As many as the console has connections: a statement that is sent has one. */
const statementsAtOnce = 2;
/** Each waiting statement is a page that somebody waits for. */
const statementsWaiting = 100;

/** Bounds what the console asks of its database: two statements at once, and 100 more that wait for their turn. */
export function createAsk(sql: Sql): Ask {
  const inTurn = createTurns(statementsAtOnce, statementsWaiting);
  return (statement) => inTurn(() => statement(sql));
}

/**
 * Lets so many run at once, and the others wait for their turn.
 * @param waitingAtMost past that many a call rejects with `unavailable`
 */
export function createTurns(
  atOnce: number,
  waitingAtMost: number,
): <Result>(run: () => PromiseLike<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async function inTurn(run) {
    if (running < atOnce) running++;
    else if (waiting.length < waitingAtMost) await new Promise<void>((resolve) => waiting.push(resolve));
    else throw new ApiError('unavailable', { message: 'Too many pages of the console at once; try again.' });
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
