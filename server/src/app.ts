import { type Context, Hono } from 'hono';
import type { Logger } from 'pino';
import { createConsole } from './console/createConsole.js';
import type { Sql } from './database/connect.js';
import { isUnavailable } from './database/failures.js';
import { ApiError, toFailure } from './errors.js';
import type { GroupCommits } from './groupCommits.js';
import type { AppEnv } from './http/context.js';
import { exposeRetryAfter, preflight, setCorsHeaders } from './http/cors.js';
import { describeRefusals } from './http/describeRefusals.js';
import { keepRefusals } from './http/keepRefusals.js';
import { limitReports } from './http/limitReports.js';
import { createLiveKeys } from './http/liveKeys.js';
import { observe } from './http/observe.js';
import { reply } from './http/reply.js';
import { requireKey } from './http/requireKey.js';
import { createSightings } from './http/sightings.js';
import type { Metrics } from './monitoring/metrics.js';
import type { RefusedKeeper } from './refused/keepRefused.js';
import { type DemoAccess, getDemo } from './routes/getDemo.js';
import { getDocs, getDocsFile } from './routes/getDocs.js';
import { getHealth, getReadiness } from './routes/getHealth.js';
import { getMetrics } from './routes/getMetrics.js';
import { getOpenApi } from './routes/getOpenApi.js';
import { getProduct } from './routes/getProduct.js';
import { getProxies } from './routes/getProxies.js';
import { getCurrentSdk, getVersionedSdk, type SdkFiles } from './routes/getSdk.js';
import { postEnrollment } from './routes/postEnrollment.js';
import { postOrder } from './routes/postOrder.js';

/** What the app is made of; `serve` wires it. */
export interface AppDeps extends GroupCommits {
  /** Connections for health and the demo page, which no order waits for. */
  watch: Sql;
  /** Connections for the console, which no order waits for either. */
  console: Sql;
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
    watch,
    secret,
    submitReport,
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
  const liveKeys = createLiveKeys(deps.recognition);
  const sightings = createSightings(deps.console);
  const countReport = limitReports(rateLimitPerMinute, trustedProxies);
  const key = requireKey(liveKeys, countReport);
  const describeRefusal = describeRefusals(deps.recognition);

  app.use(observe(log, metrics, isStopping));
  const order = postOrder({ secret, liveKeys, submitReport, countReport, sightings });
  app.post(orders, describeRefusal, keepRefusals(deps.recognition, deps.keepRefused, order));
  app.options(orders, preflight());
  app.post(
    '/svc-api/v1/sequences/enroll',
    describeRefusal,
    key,
    postEnrollment({ secret, liveKeys, enroll: deps.enroll, sightings }),
  );
  app.get('/svc-api/v1/products/:id', key, getProduct(deps.findProduct, sightings));

  app.get('/healthz', getHealth(sdk.version));
  app.get('/healthz/proxies', getProxies(trustedProxies));
  app.get('/readyz', getReadiness(watch, isStopping));
  app.get('/metrics', getMetrics(metrics, deps.metricsAccess));
  app.get('/sdk/:file', getCurrentSdk(sdk));
  app.get('/sdk/:version/:file', getVersionedSdk(sdk));
  app.get('/demo', getDemo(watch, publicUrl, deps.demoAccess));
  app.get('/openapi.json', getOpenApi(watch, sdk.version, publicUrl));
  app.route('/', createConsole({ ...deps, sql: deps.console }));
  app.get('/docs', getDocs());
  app.get('/docs/:file', getDocsFile());

  for (const [path, methods] of methodsByPath(app)) {
    app.all(path, function wrongMethod(c) {
      if (path === orders) setCorsHeaders(c);
      throw new ApiError('method_not_allowed', { headers: { Allow: methods.join(', ') } });
    });
  }

  const refuse = (c: Context<AppEnv>, refusal: ApiError) => {
    c.set('outcome', refusal.code);
    exposeRetryAfter(Object.assign(c.get('headers'), refusal.headers));
    return reply(c, refusal.status, JSON.stringify(toFailure(refusal, c.get('requestId'))));
  };

  app.notFound((c) => refuse(c, new ApiError('not_found')));

  app.onError((error, c) => {
    const refusal = toApiError(error);
    if (refusal.code === 'invalid_api_key' && c.get('key')) liveKeys.forget(c.get('key').keyHash);
    if (refusal.status >= 500)
      log.error({ requestId: c.get('requestId'), error: describe(refusal.cause ?? error) });
    return refuse(c, refusal);
  });

  return app;
}

/** The methods that each path answers so far, for `Allow` (RFC 9110, section 10.2.1); Hono answers HEAD where it answers GET. */
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

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(isUnavailable(error) ? 'unavailable' : 'internal', { cause: error });
}

/** Stack and code for the log; a database error's detail and parameters, which hold what people sent, stay out. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? `${error.code}: ${error.message}` : (error.stack ?? error.message);
}
