import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import type { Logger } from 'pino';
import { createConsole } from './console/createConsole.js';
import type { Sql } from './database/connect.js';
import { ApiError } from './errors.js';
import type { GroupCommits } from './groupCommits.js';
import { answerReports, ordersPath } from './http/answerReports.js';
import type { AppEnv } from './http/context.js';
import { preflight, setCorsHeaders } from './http/cors.js';
import { createDescribeRefusal, describeRefusals } from './http/describeRefusals.js';
import { keepRefusals } from './http/keepRefusals.js';
import { limitReports } from './http/limitReports.js';
import { createLiveKeys } from './http/liveKeys.js';
import { createObserver, observe } from './http/observe.js';
import { createRefuse } from './http/refuse.js';
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

/** Answers requests. */
export interface App {
  /** What answers everything. */
  app: Hono<AppEnv>;
  /** What answers a report of an order without Hono; `app` does the same by way of it. */
  answerReport: ReturnType<typeof answerReports>;
}

/** Puts middleware and routes in the order in which a request meets them. */
export function createApp(deps: AppDeps): App {
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
  const liveKeys = createLiveKeys(deps.recognition);
  const sightings = createSightings(deps.console);
  const countReport = limitReports(rateLimitPerMinute, trustedProxies);
  const key = requireKey(liveKeys, countReport);
  const observer = createObserver(log, metrics);
  const refuse = createRefuse(log, liveKeys);
  const describeRefusal = createDescribeRefusal(deps.recognition);

  const order = postOrder({ secret, liveKeys, submitReport, countReport, sightings });
  const answerReport = answerReports(keepRefusals(deps.recognition, deps.keepRefused, order), {
    log,
    observer,
    refuse,
    describeRefusal,
    isStopping,
  });
  // Before what goes around all other routes: it does the same itself.
  app.post(ordersPath, async function postOrder({ env }) {
    await answerReport(env.incoming, env.outgoing);
    return RESPONSE_ALREADY_SENT;
  });

  app.use(observe(observer, isStopping));
  app.options(ordersPath, preflight());
  app.post(
    '/svc-api/v1/sequences/enroll',
    describeRefusals(describeRefusal),
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
      if (path === ordersPath) setCorsHeaders(c);
      throw new ApiError('method_not_allowed', { headers: { Allow: methods.join(', ') } });
    });
  }

  const replyRefusal = (c: Context<AppEnv>, error: unknown) => {
    const { status, body } = refuse(c, error);
    return reply(c, status, body);
  };
  app.notFound((c) => replyRefusal(c, new ApiError('not_found')));
  app.onError((error, c) => replyRefusal(c, error));

  return { app, answerReport };
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
