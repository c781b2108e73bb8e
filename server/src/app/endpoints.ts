import type { Listeners } from '../core/listener.js';
import { postOrder } from '../core/orders/postOrder.js';
import { getOrder } from '../core/orders/read/getOrder.js';
import { createEnroll, postEnrollment } from '../core/people/postEnrollment.js';
import { getProduct } from '../core/products/getProduct.js';
import { createFindProduct } from '../core/products/lookUpProducts.js';
import { postRefund } from '../core/refunds/postRefund.js';
import { createSettleOrder } from '../core/refunds/settleRefunds.js';
import { createIdentifySender } from '../core/teams/identifySender.js';
import { createRecordKeyUse } from '../core/teams/recordKeyUse.js';
import type { Core } from '../features/feature.js';
import { answerPreflight } from '../http/cors.js';
import type { Endpoint } from '../http/wayIn.js';

/** Makes the table of the core's endpoints (contract, section 4). */
export function createEndpoints(core: Core, listeners: Listeners): readonly Endpoint[] {
  const { pools, queue, secret, clock, senderCache, limitRate, storeReport, askOrders, storeRefund } = core;
  const { identifySender, requireKey } = createIdentifySender(senderCache, limitRate);
  const recordKeyUse = createRecordKeyUse(pools.background, clock);
  const findProduct = createFindProduct(pools.work, queue);
  const enroll = createEnroll(pools.work, queue, listeners);
  return [
    {
      method: 'GET',
      path: '/svc-api/v1/products/:id',
      handle: getProduct({ requireKey, findProduct, recordKeyUse }),
    },
    {
      method: 'POST',
      path: '/svc-api/v1/sequences/enroll',
      handle: postEnrollment({ secret, requireKey, enroll, recordKeyUse }),
    },
    {
      method: 'POST',
      path: '/svc-api/v1/orders',
      handle: postOrder({
        secret,
        clock,
        identifySender,
        requireTeam: senderCache.requireTeam,
        askOrders,
        storeReport,
        listeners,
        recordKeyUse,
      }),
    },
    { method: 'OPTIONS', path: '/svc-api/v1/orders', handle: answerPreflight },
    {
      method: 'POST',
      path: '/svc-api/v1/orders/refunds',
      handle: postRefund({ clock, requireKey, askOrders, storeRefund, recordKeyUse }),
    },
    {
      method: 'GET',
      path: '/svc-api/v1/orders/:id',
      handle: getOrder({ requireKey, askOrders, settleOrder: createSettleOrder(listeners), recordKeyUse }),
    },
  ];
}
