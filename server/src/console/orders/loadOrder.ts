import { listRefunds } from '../../core/refunds/sql/listRefunds.js';
import { findEntries } from '../../core/teams/sql/domain.js';
import { listRefusedOfOrder } from '../../features/refused/sql/listRefused.js';
import { listDeliveriesOf } from '../../features/webhooks/sql/delivery.js';
import { listHooks } from '../../features/webhooks/sql/hook.js';
import { ApiError } from '../../values/errors.js';
import type { Uuid } from '../../values/ids.js';
import type { ConsoleContext } from '../context.js';
import { findShownOrder } from '../sql/shownOrders.js';
import { readOrderQuery } from './orderQuery.js';

/** Data of an order's page. */
export type OrderData = Awaited<ReturnType<typeof loadOrder>>;

/** Reads everything that is stored of one order, and of what led to it. Throws `not_found`. */
export async function loadOrder(c: ConsoleContext, id: Uuid) {
  const { query: ask, viewer, isTest, queryOnce, readPlaces } = c.var;
  const order = await ask(findShownOrder, id);
  if (!order)
    throw new ApiError('not_found', {
      message: 'No order of this team has that id. It may have been discarded.',
    });
  const { orderId, reportId } = order;
  const [refunds, refused, deliveries, domains, hooks] = await Promise.all([
    ask(listRefunds, id),
    ask(listRefusedOfOrder, { orderId, reportId }),
    ask(listDeliveriesOf, id),
    ask(findEntries),
    queryOnce(listHooks),
    readPlaces(),
  ]);
  // The list that it was opened from.
  return {
    order,
    refunds,
    refused,
    deliveries,
    domains,
    hooks,
    list: readOrderQuery(c.req.query(), viewer, isTest),
  };
}
