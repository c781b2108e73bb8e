import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import type { Logger } from 'pino';
import { createConsole } from './console/createConsole.js';
import type { Sql } from './database/connection/connect.js';
import { createEndpoints, type EndpointDeps } from './endpoints.js';
import { answerDirectly } from './http/answerDirectly.js';
import { type AnswerEndpoints, paths } from './http/answerEndpoints.js';
import type { AppEnv } from './http/context.js';
import { preflight, setCorsHeaders } from './http/cors.js';
import { createObserver, observe } from './http/observe.js';
import { createRefuse } from './http/refuse.js';
import { reply } from './http/reply.js';
import { answerHeaders } from './http/securityHeaders.js';
import { getHealth, getReadiness } from './monitoring/getHealth.js';
import { getMetrics } from './monitoring/getMetrics.js';
import { getProxies } from './monitoring/getProxies.js';
import type { Metrics } from './monitoring/metrics.js';
import { type DemoAccess, demoRoutes } from './site/demoRoutes.js';
import { docsRoutes } from './site/docsRoutes.js';
import { getOpenApi } from './site/getOpenApi.js';
import type { SdkFiles } from './site/sdkFiles.js';
import { sdkRoutes } from './site/sdkRoutes.js';
import { createLiveKeys } from './teams/liveKeys.js';
import { ApiError } from './values/errors.js';

/** What the app is made of; `serve` wires it. */
export interface AppDeps extends EndpointDeps {
  /** Connections for health and the demo page, which no order waits for. */
  watch: Sql;
  sdk: SdkFiles;
  log: Logger;
  metrics: Metrics;
  /** Who may read the metrics; see `getMetrics`. */
  metricsAccess: { token: string | null; isProxied: boolean };
  /** Who may see the demo page. */
  demoAccess: DemoAccess;
  /** The URL that browsers see, for the tag on the demo page. */
  publicUrl: () => string;
  /** True from the moment that the server drains: then keep-alive ends and `/readyz` says no. */
  isStopping: () => boolean;
}

/** Answers requests. */
export interface App {
  /** What answers everything. */
  app: Hono<AppEnv>;
  /** What answers plain requests of the endpoints without Hono. */
  answerEndpoint: AnswerEndpoints;
}

/** Puts middleware and routes in the order in which a request meets them. */
export function createApp(deps: AppDeps): App {
  const { watch, sdk, log, metrics, trustedProxies, publicUrl, isStopping } = deps;
  const app = new Hono<AppEnv>();
  const liveKeys = createLiveKeys(deps.senderCache);
  const observer = createObserver(log, metrics);
  const refuse = createRefuse(log, liveKeys);

  const around = { log, observer, refuse, isStopping };
  const endpoints = createEndpoints(deps, liveKeys);
  const answerEndpoint: AnswerEndpoints = {
    lookUp: answerDirectly(endpoints.lookUp, around),
    enroll: answerDirectly(endpoints.enroll, around),
    orders: answerDirectly(endpoints.orders, around),
  };
  // Before what goes around all other routes: each does the same itself.
  for (const name of ['enroll', 'orders'] as const) {
    app.post(paths[name], async function post({ env }) {
      await answerEndpoint[name](env.incoming, env.outgoing, '');
      return RESPONSE_ALREADY_SENT;
    });
  }

  app.use(observe(observer, isStopping), answerHeaders());
  // Hono makes a new response for HEAD, so that none can have been sent already.
  app.get(paths.lookUp, async function lookUp(c) {
    const { status, body } = await endpoints.lookUp.route(c, c.req.param('id'));
    return reply(c, status, body);
  });
  app.options(paths.orders, preflight());

  app.get('/healthz', getHealth(sdk.version));
  app.get('/healthz/proxies', getProxies(trustedProxies));
  app.get('/readyz', getReadiness(watch, isStopping));
  app.get('/metrics', getMetrics(metrics, deps.metricsAccess));
  app.route('/sdk', sdkRoutes(sdk));
  app.route('/demo', demoRoutes(watch, publicUrl, deps.demoAccess));
  app.get('/openapi.json', getOpenApi(watch, sdk.version, publicUrl));
  app.route('/', createConsole({ ...deps, sql: deps.console }));
  app.route('/docs', docsRoutes());

  for (const [path, methods] of methodsByPath(app)) {
    app.all(path, function wrongMethod(c) {
      if (path === paths.orders) setCorsHeaders(c);
      throw new ApiError('method_not_allowed', { headers: { Allow: methods.join(', ') } });
    });
  }

  const replyRefusal = (c: Context<AppEnv>, error: unknown) => {
    const { status, body } = refuse(c, error);
    return reply(c, status, body);
  };
  app.notFound((c) => replyRefusal(c, new ApiError('not_found')));
  app.onError((error, c) => replyRefusal(c, error));

  return { app, answerEndpoint };
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
