import type { Listeners } from '../core/listener.js';
import type { AskOrders } from '../core/orders/askOrders.js';
import { postOrder } from '../core/orders/postOrder.js';
import { getOrder } from '../core/orders/read/getOrder.js';
import type { StoreReport } from '../core/orders/storeReport.js';
import { createEnroll, postEnrollment } from '../core/people/postEnrollment.js';
import { getProduct } from '../core/products/getProduct.js';
import { createFindProduct } from '../core/products/lookUpProducts.js';
import { postRefund } from '../core/refunds/postRefund.js';
import { createSettleOrder } from '../core/refunds/settleRefunds.js';
import type { StoreRefund } from '../core/refunds/storeRefund.js';
import { createIdentifySender } from '../core/teams/identifySender.js';
import { createRecordKeyUse } from '../core/teams/recordKeyUse.js';
import type { SenderCache } from '../core/teams/senderCache.js';
import type { QueueBounds } from '../database/batch/queueBounds.js';
import type { Clock } from '../database/clock.js';
import type { Pools } from '../database/pools.js';
import { answerPreflight } from '../http/cors.js';
import type { LimitRate } from '../http/rateLimit.js';
import type { Endpoint } from '../http/wayIn.js';
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
  limitRate: LimitRate;
  storeReport: StoreReport;
  askOrders: AskOrders;
  storeRefund: StoreRefund;
  listeners: Listeners;
}

/** Makes the table of the core's endpoints (contract, section 4). */
export function createEndpoints(
  { pools, queue, secret, clock }: EndpointsDeps,
  { senderCache, limitRate, storeReport, askOrders, storeRefund, listeners }: SharedParts,
): readonly Endpoint[] {
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
