import type { Listeners } from '../core/listener.js';
import type { QueueBounds } from '../database/batch/queueBounds.js';
import type { Clock } from '../database/clock.js';
import type { Pools } from '../database/pools.js';
import { answerPreflight } from '../http/cors.js';
import type { CountRequest } from '../http/countRequest.js';
import type { Endpoint } from '../http/findRoute.js';
import type { Metrics } from '../monitoring/metrics.js';
import type { AskOrders } from '../orders/askOrders.js';
import { getOrder } from '../orders/getOrder.js';
import { postOrder } from '../orders/postOrder.js';
import { postRefund } from '../orders/postRefund.js';
import { createSettleOrder } from '../orders/settleRefunds.js';
import type { StoreRefund } from '../orders/storeRefund.js';
import type { StoreReport } from '../orders/storeReport.js';
import { createEnroll, postEnrollment } from '../people/postEnrollment.js';
import { getProduct } from '../products/getProduct.js';
import { createFindProduct } from '../products/lookUpProducts.js';
import type { RefusedKeeper } from '../refused/keepRefused.js';
import { createOnDiffers } from '../refused/onRefused.js';
import type { AwayTime } from '../sources/awayTime.js';
import { createIdentifySource } from '../sources/identifySource.js';
import { postSource } from '../sources/postSource.js';
import { createRecordEvents } from '../sources/recordEvents.js';
import { findSources } from '../sources/sql/source.js';
import type { StoreEvent } from '../sources/storeEvent.js';
import { createIdentifySender } from '../teams/identifySender.js';
import { createRecordKeyUse } from '../teams/recordKeyUse.js';
import type { SenderCache } from '../teams/senderCache.js';

/** Dependencies of the endpoints. */
export interface EndpointsDeps {
  pools: Pools;
  /** Limits of each queue. */
  queue: QueueBounds;
  /** The installation's secret, which people's ids are made with. */
  secret: string;
  clock: Clock;
  metrics: Metrics;
  listeners: Listeners;
  /** Keeps a refused report. */
  keepRefused: RefusedKeeper['keep'];
  /** Keeps a report in the background. */
  keepRefusedLater: RefusedKeeper['keepLater'];
}

/** Parts of the app that several endpoints use; its pages use some of them too. */
export interface SharedParts {
  senderCache: SenderCache;
  countRequest: CountRequest;
  storeReport: StoreReport;
  askOrders: AskOrders;
  storeRefund: StoreRefund;
  storeEvent: StoreEvent;
  /** When events of shops were last lost. */
  away: AwayTime;
}

/** Makes the table of the API's endpoints (contract, section 4). */
export function createEndpoints(
  { pools, queue, secret, clock, metrics, listeners, keepRefusedLater }: EndpointsDeps,
  { senderCache, countRequest, storeReport, askOrders, storeRefund, storeEvent, away }: SharedParts,
): readonly Endpoint[] {
  const { identifySender, requireKey } = createIdentifySender(senderCache, countRequest);
  const recordKeyUse = createRecordKeyUse(pools.background, clock);
  const findProduct = createFindProduct(pools.work, queue);
  const enroll = createEnroll(pools.work, queue, listeners);
  const identifySource = createIdentifySource(
    senderCache,
    countRequest,
    (teamId, tokens) => findSources(pools.work, teamId, tokens),
    queue,
  );
  const records = createRecordEvents(pools.background, metrics.sourceEvent);
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
        onDiffers: createOnDiffers(keepRefusedLater),
        recordKeyUse,
      }),
    },
    {
      method: 'POST',
      path: '/svc-api/v1/sources/:token',
      handle: postSource({ clock, identifySource, storeEvent, records, away }),
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
