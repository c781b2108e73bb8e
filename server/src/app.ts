import { type Context, Hono } from 'hono';
import type { Logger } from 'pino';
import type { Sql } from './database/connect.js';
import { isDatabaseAway } from './database/failures.js';
import { ApiError, toFailure } from './errors.js';
import type { AppEnv } from './http/context.js';
import { preflight, setCorsHeaders } from './http/cors.js';
import { limitReports } from './http/limitReports.js';
import { observe } from './http/observe.js';
import { reply } from './http/reply.js';
import { requireKey } from './http/requireKey.js';
import type { Metrics } from './monitoring/metrics.js';
import type { SubmitOrder } from './orders/recordOrders.js';
import type { FindProduct } from './products/lookUpProducts.js';
import { getDemo } from './routes/getDemo.js';
import { getDocs, getDocsFile } from './routes/getDocs.js';
import { getHealth, getReadiness } from './routes/getHealth.js';
import { getMetrics } from './routes/getMetrics.js';
import { getOpenApi } from './routes/getOpenApi.js';
import { getProduct } from './routes/getProduct.js';
import { getCurrentSdk, getVersionedSdk, type SdkFiles } from './routes/getSdk.js';
import { type Enroll, postEnrollment } from './routes/postEnrollment.js';
import { postOrder } from './routes/postOrder.js';

/** What the app is made of; `serve` wires it. */
export interface AppDeps {
  sql: Sql;
  /** The installation's secret, which people's ids are made with. */
  secret: string;
  submit: SubmitOrder;
  enroll: Enroll;
  findProduct: FindProduct;
  sdk: SdkFiles;
  log: Logger;
  metrics: Metrics;
  /** Who may read the metrics; see `getMetrics`. */
  metricsAccess: { token: string | null; isProxied: boolean };
  /** Order reports without a key that one client address may send a minute; null for any number. */
  rateLimitPerMinute: number | null;
  /** How many proxies in front are believed in `X-Forwarded-For`. */
  trustedProxies: number;
  /** The URL that browsers see, for the tag on the demo page. */
  publicUrl: () => string;
  /** True from the moment that the server drains: then keep-alive ends and `/readyz` says no. */
  isStopping: () => boolean;
}

/** Puts middleware and routes in the order in which a request meets them. */
export function createApp(deps: AppDeps): Hono<AppEnv> {
  const {
    sql,
    secret,
    submit,
    sdk,
    log,
    metrics,
    rateLimitPerMinute,
    trustedProxies,
    publicUrl,
    isStopping,
  } = deps;
  const app = new Hono<AppEnv>();
  const orders = '/svc-api/v1/orders';
  const enroll = '/svc-api/v1/sequences/enroll';
  const product = '/svc-api/v1/products/:id';
  const key = requireKey(sql);

  app.use(observe(log, metrics, isStopping));
  app.options(orders, preflight());
  app.post(
    orders,
    postOrder({ sql, secret, submit, limit: limitReports(rateLimitPerMinute, trustedProxies) }),
  );
  app.post(enroll, key, postEnrollment({ sql, secret, enroll: deps.enroll }));
  app.get(product, key, getProduct(deps.findProduct));

  app.get('/healthz', getHealth());
  app.get('/readyz', getReadiness(sql, isStopping));
  app.get('/metrics', getMetrics(metrics, deps.metricsAccess));
  app.get('/sdk/:file', getCurrentSdk(sdk));
  app.get('/sdk/:version/:file', getVersionedSdk(sdk));
  app.get('/demo', getDemo(sql, publicUrl));
  app.get('/openapi.json', getOpenApi(sdk.version, publicUrl));
  app.get('/docs', getDocs());
  app.get('/docs/:file', getDocsFile());

  const allowed = new Map([
    [orders, 'POST, OPTIONS'],
    [enroll, 'POST'],
    [product, 'GET, HEAD'],
    ...[
      '/healthz',
      '/readyz',
      '/metrics',
      '/sdk/:file',
      '/sdk/:version/:file',
      '/demo',
      '/openapi.json',
      '/docs',
      '/docs/:file',
    ].map((path) => [path, 'GET, HEAD'] as const),
  ]);
  for (const [path, methods] of allowed) {
    app.all(path, function wrongMethod(c) {
      if (path === orders) setCorsHeaders(c);
      throw new ApiError('method_not_allowed', { headers: { Allow: methods } });
    });
  }

  const refuse = (c: Context<AppEnv>, refusal: ApiError) => {
    c.set('outcome', refusal.code);
    Object.assign(c.get('headers'), refusal.headers);
    return reply(c, refusal.status, JSON.stringify(toFailure(refusal, c.get('requestId'))));
  };

  app.notFound((c) => refuse(c, new ApiError('not_found')));

  app.onError((error, c) => {
    const refusal = toApiError(error);
    if (refusal.status >= 500)
      log.error({ requestId: c.get('requestId'), error: describe(refusal.cause ?? error) });
    return refuse(c, refusal);
  });

  return app;
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(isDatabaseAway(error) ? 'unavailable' : 'internal', { cause: error });
}

/** Stack and code for the log; a database error's detail and parameters, which hold what people sent, stay out. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? `${error.code}: ${error.message}` : (error.stack ?? error.message);
}
