import type { ConsoleDeps } from '../consoleDeps.js';
import type { ConsoleContext } from '../context.js';
import { readDoneSteps } from '../sql/doneSteps.js';
import { findLookedAt, findWholeMatches, pageOrders } from '../sql/shownOrders.js';
import { sumFound, sumOrders } from '../sql/sumOrders.js';
import { readOrderQuery, toSelection } from './orderQuery.js';

const ordersOnPage = 50;

/** Number of orders that a page reads at most to find those of a rare filter or a search. */
export const lookAtMost = 20_000;

/** Data of the list of orders. */
export type OrdersData = Awaited<ReturnType<typeof loadOrders>>;

/** Reads a page of the list of orders, and the sums of all that its filters select. */
export async function loadOrders(c: ConsoleContext, { secret, parts }: ConsoleDeps) {
  const { query: ask, session, viewer, isTest } = c.var;
  const query = readOrderQuery(c.req.query(), viewer, isTest);
  const { before, range } = query;
  const selection = toSelection(query, secret, session.teamId);
  const limit = ordersOnPage + 1;
  const newest = await ask(pageOrders, selection, { before, limit, lookAtMost });
  const lookedAt =
    newest.length < limit ? await ask(findLookedAt, { before, lookAtMost, span: selection.span }) : undefined;
  const older = lookedAt ? await ask(findWholeMatches, selection, { before: lookedAt, limit }) : [];
  const found = [...newest, ...older];
  const isMore = found.length > ordersOnPage;
  const sumAll = () =>
    isMore ? ask(sumOrders, selection, lookAtMost) : sumFound(found, lookedAt !== undefined);
  const orders = found.slice(0, ordersOnPage);
  const hasNone = orders.length === 0 && !(await ask(readDoneSteps, isTest)).hasOrder;
  return {
    query,
    asked: c.req.query(),
    orders,
    sums: before === null ? await sumAll() : null,
    /** Set if the page updates itself: the newest orders, without a search. */
    isLive: before === null && query.q === '' && (range === null || range.isOpen),
    /** The last order of the page, if there are more. */
    last: isMore ? orders.at(-1) : undefined,
    /** The last order that was read. Set if the page is not full and older orders were not read. */
    lookedAt,
    besideTitle: await parts.draw('besideOrders', c),
    /** Texts of features for a shop without orders. */
    noOrderYet: hasNone ? await parts.draw('noOrderYet', c) : [],
  };
}
