import { ApiError } from '../../values/errors.js';
import { decodeId, encodeId, type Uuid } from '../../values/ids.js';
import type { ConsoleHost } from '../consoleHost.js';
import { renderPage } from '../parts/layout.js';
import { discardOrderOf, refundOrder } from './changeOrder.js';
import { createDownloadCsv } from './downloadCsv.js';
import { getOrdersCsv } from './getOrdersCsv.js';
import { getRefundsCsv } from './getRefundsCsv.js';
import { loadOrder } from './loadOrder.js';
import { loadOrders } from './loadOrders.js';
import { Order } from './order.js';
import { Orders } from './orders.js';

/** Adds the pages of a team's orders: `GET …/orders`, `…/orders.csv`, `…/refunds.csv`, `…/orders/:id`, and their forms. */
export function addOrders(console: ConsoleHost): void {
  console.section({
    at: 10,
    path: '/orders',
    title: 'Orders',
    icon: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6',
  });
  console.bookmark('/orders.csv');
  console.bookmark('/refunds.csv');
  console.pages((app, deps) => {
    const downloadCsv = createDownloadCsv();
    app
      .get('/orders', async (c) => {
        const data = await loadOrders(c, deps);
        return renderPage(c, <Orders {...data} />, { title: 'Orders', here: 'Orders', isLive: data.isLive });
      })
      .get('/orders.csv', getOrdersCsv(deps, downloadCsv))
      .get('/refunds.csv', getRefundsCsv(deps, downloadCsv))
      .get('/orders/:id', async (c) => {
        const data = await loadOrder(c, deps.parts, requireOrderId(c.req.param('id')));
        const id = encodeId('ord', data.order.id);
        const { isTest } = data.order;
        // The order was merged into another one, or is of the other mode than the address. The page's links need both right.
        if (id !== c.req.param('id') || isTest !== c.var.isTest) {
          const mode = isTest ? 'test' : 'live';
          return c.redirect(c.var.link(`/orders/${id}`, { ...c.req.query(), mode }), 303);
        }
        const title = data.order.orderId ?? data.order.orderNumber;
        return renderPage(c, <Order {...data} />, { title, here: 'Orders' });
      })
      .post('/orders/:id/refund', (c) => refundOrder(c, deps, requireOrderId(c.req.param('id'))))
      .post('/orders/:id/discard', (c) => discardOrderOf(c, deps, requireOrderId(c.req.param('id'))));
  });
}

function requireOrderId(text: string): Uuid {
  const id = decodeId('ord', text);
  if (!id) throw new ApiError('not_found', { message: 'No order of this team has that id.' });
  return id;
}
