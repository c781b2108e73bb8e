import type { Sql } from './database/connection/connect.js';
import type { Endpoint } from './http/answerDirectly.js';
import { paths } from './http/answerEndpoints.js';
import { limitReports } from './http/limitReports.js';
import { postOrder } from './orders/postOrder.js';
import type { StoreReport } from './orders/storeReport.js';
import { createSubmitReport } from './orders/submitReport.js';
import type { Enroll } from './people/enroll.js';
import { postEnrollment } from './people/postEnrollment.js';
import { getProduct } from './products/getProduct.js';
import type { FindProduct } from './products/lookUpProducts.js';
import { createDescribeRefusal } from './refused/describeRefusal.js';
import { keepRefusals } from './refused/keepRefusals.js';
import type { RefusedKeeper } from './refused/keepRefused.js';
import { createLastSeen } from './teams/lastSeen.js';
import type { LiveKeys } from './teams/liveKeys.js';
import { createRequireKey } from './teams/requireKey.js';
import type { SenderCache } from './teams/senderCache.js';

/** What the endpoints are made of. */
export interface EndpointDeps {
  storeReport: StoreReport;
  enroll: Enroll;
  findProduct: FindProduct;
  senderCache: SenderCache;
  /** Connections for the console, which no order waits for: last uses are written with them. */
  console: Sql;
  keepRefused: RefusedKeeper['keep'];
  /** The installation's secret, which people's ids are made with. */
  secret: string;
  /** Order reports without a key that one client address may send a minute; null for any number. */
  rateLimitPerMinute: number | null;
  /** How many proxies in front are believed in `X-Forwarded-For`. */
  trustedProxies: number;
}

/** Puts the three endpoints together (contract, section 4). */
export function createEndpoints(
  deps: EndpointDeps,
  liveKeys: LiveKeys,
): Record<keyof typeof paths, Endpoint> {
  const { senderCache, secret, enroll } = deps;
  const submitReport = createSubmitReport(senderCache, deps.storeReport);
  const lastSeen = createLastSeen(deps.console);
  const countReport = limitReports(deps.rateLimitPerMinute, deps.trustedProxies);
  const requireKey = createRequireKey(liveKeys, countReport);
  const describeRefusal = createDescribeRefusal(senderCache);

  const order = postOrder({ secret, liveKeys, submitReport, countReport, lastSeen });
  return {
    lookUp: {
      path: paths.lookUp,
      route: getProduct(requireKey, deps.findProduct, lastSeen),
    },
    enroll: {
      path: paths.enroll,
      route: postEnrollment({ secret, liveKeys, requireKey, enroll, lastSeen }),
      describeRefusal,
    },
    orders: {
      path: paths.orders,
      route: keepRefusals(senderCache, deps.keepRefused, order),
      describeRefusal,
    },
  };
}
