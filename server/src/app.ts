import { type Context, Hono } from 'hono';
import type { Logger } from 'pino';
import { createConsole } from './console/createConsole.js';
import type { Sql } from './database/connection/connect.js';
import { type AnswerDirectly, answerDirectly } from './http/answerDirectly.js';
import type { AppEnv } from './http/context.js';
import { answerPreflight } from './http/cors.js';
import { createCountRequest } from './http/countRequest.js';
import type { Endpoint } from './http/findRoute.js';
import { observe } from './http/observe.js';
import { createRecordAnswer, type RecordAnswer } from './http/recordAnswer.js';
import { createWriteRefusal, toRefusal, type WriteRefusal } from './http/refuse.js';
import { reply } from './http/reply.js';
import { answerHeaders } from './http/securityHeaders.js';
import { getHealth, getReadiness } from './monitoring/getHealth.js';
import { getMetrics } from './monitoring/getMetrics.js';
import { getProxies } from './monitoring/getProxies.js';
import type { Metrics } from './monitoring/metrics.js';
import { postOrder } from './orders/postOrder.js';
import type { StoreReport } from './orders/storeReport.js';
import type { Enroll } from './people/enroll.js';
import { postEnrollment } from './people/postEnrollment.js';
import { getProduct } from './products/getProduct.js';
import type { FindProduct } from './products/lookUpProducts.js';
import type { RefusedKeeper } from './refused/keepRefused.js';
import { createOnRefused } from './refused/onRefused.js';
import { type DemoAccess, demoRoutes } from './site/demoRoutes.js';
import { docsRoutes } from './site/docsRoutes.js';
import { getOpenApi } from './site/getOpenApi.js';
import type { SdkFiles } from './site/sdkFiles.js';
import { sdkRoutes } from './site/sdkRoutes.js';
import { createIdentifySender } from './teams/identifySender.js';
import { createLastSeen } from './teams/lastSeen.js';
import { createRequireTeam } from './teams/requireTeam.js';
import type { SenderCache } from './teams/senderCache.js';
import { ApiError } from './values/errors.js';

/** Dependencies of the app; `listen` wires them. */
export interface AppDeps {
  storeReport: StoreReport;
  enroll: Enroll;
  findProduct: FindProduct;
  senderCache: SenderCache;
  /** Connections for health and the demo page, which no order waits for. */
  watch: Sql;
  /** Connections for the console, which no order waits for: last uses are written with them too. */
  console: Sql;
  /** Keeps a refused report. */
  keepRefused: RefusedKeeper['keep'];
  /** The installation's secret, which people's ids are made with. */
  secret: string;
  sdk: SdkFiles;
  log: Logger;
  metrics: Metrics;
  /** Who may read the metrics; see `getMetrics`. */
  metricsAccess: { token: string | null; isProxied: boolean };
  /** Who may see the demo page. */
  demoAccess: DemoAccess;
  /** Requests a minute of one client address without a known key; see `createCountRequest`. Null for no limit. */
  rateLimitPerMinute: number | null;
  /** Number of proxies in front that are believed in `X-Forwarded-For`. */
  trustedProxies: number;
  /** The URL that browsers see. */
  publicUrl: () => string;
  /** True from the moment that the server drains: then keep-alive ends and `/readyz` refuses. */
  isStopping: () => boolean;
}

/** Both ways to an answer; `createWayIn` chooses by the path. */
export interface App {
  endpoints: readonly Endpoint[];
  /** Answers every path below `/svc-api/v1/`. */
  answerApi: AnswerDirectly;
  /** Answers every other path. */
  app: Hono<AppEnv>;
}

/** Puts the app together. */
export function createApp(deps: AppDeps): App {
  const { log, metrics, senderCache, isStopping } = deps;
  const recordAnswer = createRecordAnswer(log, (line) => metrics.answered(line));
  const writeRefusal = createWriteRefusal(log);
  const onRefused = createOnRefused(senderCache, deps.keepRefused);
  const endpoints = createEndpoints(deps);
  const around = { log, recordAnswer, writeRefusal, onRefused, isStopping };
  return {
    endpoints,
    answerApi: answerDirectly(endpoints, around),
    app: createPages(deps, recordAnswer, writeRefusal),
  };
}

/** The table of the API's endpoints (contract, section 4). */
function createEndpoints(deps: AppDeps): readonly Endpoint[] {
  const { secret, senderCache, storeReport, enroll, findProduct } = deps;
  const countRequest = createCountRequest(deps.rateLimitPerMinute, deps.trustedProxies);
  const { identifySender, requireKey } = createIdentifySender(senderCache, countRequest);
  const requireTeam = createRequireTeam(senderCache);
  const lastSeen = createLastSeen(deps.console);
  return [
    {
      method: 'GET',
      path: '/svc-api/v1/products/:id',
      handle: getProduct({ requireKey, findProduct, lastSeen }),
    },
    {
      method: 'POST',
      path: '/svc-api/v1/sequences/enroll',
      handle: postEnrollment({ secret, requireKey, enroll, lastSeen }),
    },
    {
      method: 'POST',
      path: '/svc-api/v1/orders',
      handle: postOrder({ secret, identifySender, requireTeam, storeReport, lastSeen }),
    },
    { method: 'OPTIONS', path: '/svc-api/v1/orders', handle: answerPreflight },
  ];
}

/** Puts middleware and routes of everything else in the order in which a request meets them. */
function createPages(deps: AppDeps, recordAnswer: RecordAnswer, writeRefusal: WriteRefusal): Hono<AppEnv> {
  const { watch, sdk, publicUrl, isStopping } = deps;
  const app = new Hono<AppEnv>();
  app.use(observe(recordAnswer, isStopping), answerHeaders());

  app.get('/healthz', getHealth(sdk.version));
  app.get('/healthz/proxies', getProxies(deps.trustedProxies));
  app.get('/readyz', getReadiness(watch, isStopping));
  app.get('/metrics', getMetrics(deps.metrics, deps.metricsAccess));
  app.route('/sdk', sdkRoutes(sdk));
  app.route('/demo', demoRoutes(watch, publicUrl, deps.demoAccess));
  app.get('/openapi.json', getOpenApi(watch, sdk.version, publicUrl));
  app.route('/', createConsole({ ...deps, sql: deps.console }));
  app.route('/docs', docsRoutes());

  for (const [path, methods] of methodsByPath(app)) {
    app.all(path, function wrongMethod() {
      throw new ApiError('method_not_allowed', { headers: { Allow: methods.join(', ') } });
    });
  }

  const refuse = (c: Context<AppEnv>, error: unknown) => {
    const refusal = toRefusal(error);
    c.set('outcome', refusal.code);
    Object.assign(c.get('headers'), refusal.headers);
    return reply(c, refusal.status, writeRefusal(refusal, c.get('requestId')));
  };
  app.notFound((c) => refuse(c, new ApiError('not_found')));
  app.onError((error, c) => refuse(c, error));
  return app;
}

/** Methods that each path answers so far, for `Allow` (RFC 9110, section 10.2.1). Hono answers HEAD where it answers GET. */
function methodsByPath(app: Hono<AppEnv>): Map<string, string[]> {
  const found = new Map<string, Set<string>>();
  for (const { path, method } of app.routes) {
    if (method === 'ALL') continue;
    const methods = found.get(path) ?? new Set();
    found.set(path, methods.add(method));
    if (method === 'GET') methods.add('HEAD');
  }
  return new Map([...found].map(([path, methods]) => [path, [...methods]]));
}
