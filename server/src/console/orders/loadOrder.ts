import { listRefunds } from '../../core/refunds/sql/listRefunds.js';
import { ApiError } from '../../values/errors.js';
import type { Uuid } from '../../values/ids.js';
import type { ConsoleParts } from '../consoleDeps.js';
import type { ConsoleContext } from '../context.js';
import { findShownOrder, type WholeOrderRow } from '../sql/shownOrders.js';
import { readOrderQuery } from './orderQuery.js';

/** Data of an order's page. */
export type OrderData = Awaited<ReturnType<typeof loadOrder>>;

/** Reads an order, its refunds and the steps of its timeline. @throws ApiError `not_found` */
export async function loadOrder(c: ConsoleContext, parts: ConsoleParts, id: Uuid) {
  const { query: ask, viewer, isTest, readNavigation } = c.var;
  const order = await requireOrder(c, id);
  const [refunds, others] = await Promise.all([
    ask(listRefunds, id),
    parts.readSteps(c, order),
    readNavigation(),
  ]);
  // `list` holds the parameters of the list from which the page was opened.
  return {
    order,
    refunds,
    /** Steps of its timeline that features add. */
    others,
    list: readOrderQuery(c.req.query(), viewer, isTest),
  };
}

/** Finds an order of the team. @throws ApiError `not_found` */
export async function requireOrder(c: ConsoleContext, id: Uuid): Promise<WholeOrderRow> {
  const order = await c.var.query(findShownOrder, id);
  if (!order)
    throw new ApiError('not_found', {
      message: 'No order of this team has that id. It may have been discarded.',
    });
  return order;
}
