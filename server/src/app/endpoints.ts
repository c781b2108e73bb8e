import { enrollPersonOperation } from '../api/enrollPerson.js';
import { getOrderOperation } from '../api/getOrder.js';
import { getProductOperation } from '../api/getProduct.js';
import { refundOrderOperation } from '../api/refundOrder.js';
import { reportOrderOperation } from '../api/reportOrder.js';
import { getOrder } from '../core/orders/answer/getOrder.js';
import { createSettleOrder } from '../core/orders/merge/waiting.js';
import { postOrder } from '../core/orders/receive/postOrder.js';
import { createEnroll, postEnrollment } from '../core/people/postEnrollment.js';
import { getProduct } from '../core/products/getProduct.js';
import { createFindProduct } from '../core/products/lookUpProducts.js';
import { postRefund } from '../core/refunds/postRefund.js';
import { createRecordKeyUse } from '../core/teams/recordKeyUse.js';
import { createIdentifySender } from '../core/teams/senders.js';
import type { Services } from '../host/services.js';
import { answerPreflight } from '../http/cors.js';
import type { Endpoint } from '../http/wayIn.js';

/** Creates the table of the core's endpoints (contract, section 4). */
export function createEndpoints(services: Services): readonly Endpoint[] {
  const { pools, queue, secret, clock, senderCache, limitRate, storeReport, inTurn, storeRefund, listeners } =
    services;
  const { identifySender, requireKey } = createIdentifySender(senderCache, limitRate);
  const recordKeyUse = createRecordKeyUse(pools.background, clock);
  const findProduct = createFindProduct(pools.work, queue);
  const enroll = createEnroll(pools.work, queue, listeners);
  return [
    {
      method: 'GET',
      path: '/svc-api/v1/products/:id',
      operation: getProductOperation,
      handle: getProduct({ requireKey, findProduct, recordKeyUse }),
    },
    {
      method: 'POST',
      path: '/svc-api/v1/sequences/enroll',
      operation: enrollPersonOperation,
      handle: postEnrollment({ secret, requireKey, enroll, recordKeyUse }),
    },
    {
      method: 'POST',
      path: '/svc-api/v1/orders',
      operation: reportOrderOperation,
      handle: postOrder({
        secret,
        clock,
        identifySender,
        requireTeam: senderCache.requireTeam,
        inTurn,
        storeReport,
        listeners,
        recordKeyUse,
      }),
    },
    { method: 'OPTIONS', path: '/svc-api/v1/orders', handle: answerPreflight },
    {
      method: 'POST',
      path: '/svc-api/v1/orders/refunds',
      operation: refundOrderOperation,
      handle: postRefund({ clock, requireKey, inTurn, storeRefund, recordKeyUse }),
    },
    {
      method: 'GET',
      path: '/svc-api/v1/orders/:id',
      operation: getOrderOperation,
      handle: getOrder({ requireKey, inTurn, settleOrder: createSettleOrder(services.place), recordKeyUse }),
    },
  ];
}
