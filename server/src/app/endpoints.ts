import type { Listeners } from '../core/listener.js';
import { postOrder } from '../core/orders/postOrder.js';
import { getOrder, getOrderOperation } from '../core/orders/read/getOrder.js';
import { reportOrderOperation } from '../core/orders/reportOperation.js';
import type { StoreReport } from '../core/orders/storeReport.js';
import { createEnroll, enrollPersonOperation, postEnrollment } from '../core/people/postEnrollment.js';
import { getProduct, getProductOperation } from '../core/products/getProduct.js';
import { createFindProduct } from '../core/products/lookUpProducts.js';
import { postRefund, refundOrderOperation } from '../core/refunds/postRefund.js';
import { createSettleOrder } from '../core/refunds/settleRefunds.js';
import type { StoreRefund } from '../core/refunds/storeRefund.js';
import { createRecordKeyUse } from '../core/teams/recordKeyUse.js';
import { createIdentifySender, type SenderCache } from '../core/teams/senders.js';
import type { Clock } from '../database/clock.js';
import type { Pools } from '../database/pools.js';
import type { QueueBounds } from '../database/queue.js';
import type { InTurn } from '../database/turns.js';
import { answerPreflight } from '../http/cors.js';
import type { CountRequest } from '../http/countRequest.js';
import type { Endpoint } from '../http/findRoute.js';
import type { Metrics } from '../monitoring/metrics.js';

/** Dependencies of the endpoints. */
export interface EndpointsDeps {
  pools: Pools;
  /** Limits of each queue. */
  queue: QueueBounds;
  /** The installation's secret, which people's ids are made with. */
  secret: string;
  clock: Clock;
  metrics: Metrics;
}

/** Parts of the app that several endpoints use; its pages use some of them too. */
export interface SharedParts {
  senderCache: SenderCache;
  countRequest: CountRequest;
  storeReport: StoreReport;
  inTurn: InTurn;
  storeRefund: StoreRefund;
  listeners: Listeners;
}

/** Makes the table of the core's endpoints (contract, section 4). */
export function createEndpoints(
  { pools, queue, secret, clock }: EndpointsDeps,
  { senderCache, countRequest, storeReport, inTurn, storeRefund, listeners }: SharedParts,
): readonly Endpoint[] {
  const { identifySender, requireKey } = createIdentifySender(senderCache, countRequest);
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
      handle: getOrder({ requireKey, inTurn, settleOrder: createSettleOrder(listeners), recordKeyUse }),
    },
  ];
}
