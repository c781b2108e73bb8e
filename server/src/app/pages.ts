import { type Context, Hono } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';
import type { ConsoleParts } from '../console/consoleDeps.js';
import { basePath } from '../console/context.js';
import { createConsole } from '../console/createConsole.js';
import { missingPage } from '../console/missingPage.js';
import type { NavLink } from '../console/parts/sitePage.js';
import { sdkRoutes } from '../core/script/sdkRoutes.js';
import { createSeenHosts } from '../core/script/seenHosts.js';
import type { TryStoring } from '../database/tryStoring.js';
import type { Services } from '../host/services.js';
import { type AppEnv, aroundPages } from '../http/hono.js';
import { type Refuse, toRefusal } from '../http/refuse.js';
import { answerHeaders, pageHeaders, pagePolicy } from '../http/securityHeaders.js';
import type { TrustedProxies } from '../http/trustedProxies.js';
import { getHealth, getProxies, getReadiness } from '../monitoring/getHealth.js';
import { getMetrics } from '../monitoring/getMetrics.js';
import type { Metrics } from '../monitoring/metrics.js';
import { ApiError } from '../values/errors.js';
import { version } from '../values/version.js';

/** Settings and parts of a server that its pages show or use, except its services. */
export interface PagesDeps {
  tryStoring: TryStoring;
  refuse: Refuse;
  metrics: Metrics;
  /** The additions of features to the console. */
  parts: ConsoleParts;
  /** Pages that features add outside the console. */
  added: readonly { path: string; routes: Hono<AppEnv> }[];
  /** Pages that the header of every page links to. */
  navLinks: readonly NavLink[];
  /** Access to the metrics; see `getMetrics`. */
  metricsAccess: { token: string | null; isProxied: boolean };
  /** Proxies in front of the server whose `X-Forwarded-For` is trusted. */
  trustedProxies: TrustedProxies;
  /** Returns true while the server stops: keep-alive ends then, and `/readyz` refuses. */
  isStopping: () => boolean;
}

/**
 * Creates the app that answers every request except those for the API. Middleware and routes are in the order in which a request
 * meets them.
 */
export function createPages(services: Services, deps: PagesDeps): Hono<AppEnv> {
  const { pools, publicUrl } = services;
  const { refuse, isStopping } = deps;
  const app = new Hono<AppEnv>();
  const answerRefusal = async (c: Context<AppEnv>, refusal: ApiError) => {
    const failure = refuse(c.env.exchange, refusal);
    if (refusal.status === 404 && isForPerson(c)) return showMissing(c);
    return c.body(JSON.stringify(failure), refusal.status, { 'Content-Type': 'application/json' });
  };
  const refuseMethod = (c: Context, methods: string[]) =>
    answerRefusal(c, new ApiError('method_not_allowed', { headers: { Allow: methods.join(', ') } }));
  const headPage = pageHeaders(pagePolicy);
  async function showMissing(c: Context<AppEnv>) {
    const { requestId } = c.env.exchange;
    c.res = c.html(missingPage({ root: basePath(publicUrl()), navLinks: deps.navLinks, requestId }), 404);
    await headPage(c, async () => {});
    return c.res;
  }
  app.use(aroundPages, answerHeaders(), methodNotAllowed({ app, onMethodNotAllowed: refuseMethod }));

  app.get('/healthz', getHealth(version));
  app.get('/healthz/proxies', getProxies(deps.trustedProxies, services.secret));
  app.get('/readyz', getReadiness(pools, deps.tryStoring, isStopping));
  app.get('/metrics', getMetrics(deps.metrics, deps.metricsAccess));
  const seenHosts = createSeenHosts();
  app.route('/sdk', sdkRoutes(services.sdk, seenHosts));
  app.get('/', (c) => c.redirect(`${basePath(publicUrl())}/console`, 303));
  // Browsers request it on pages that name no icon, such as JSON.
  app.get('/favicon.ico', (c) => c.redirect(`${basePath(publicUrl())}/console/assets/icon.svg`, 301));
  // People type these paths.
  const typed = [{ path: '/console' }, ...deps.navLinks, ...deps.added].map(({ path }) => path);
  for (const path of new Set(typed.filter((each) => each !== '/'))) {
    app.get(`${path}/`, (c) => c.redirect(basePath(publicUrl()) + path + new URL(c.req.url).search, 303));
  }
  app.route('/console', createConsole(deps.parts, { ...services, ...deps, seenHosts, sql: pools.console }));
  for (const { path, routes } of deps.added) app.route(path, routes);

  app.notFound((c) => answerRefusal(c, new ApiError('not_found')));
  app.onError((error, c) => answerRefusal(c, toRefusal(error)));
  return app;
}

/** @returns true for a browser that requests a page outside the API; programs do not request HTML */
const isForPerson = (c: Context) =>
  !c.req.path.startsWith('/svc-api') && /\btext\/html\b/.test(c.req.header('accept') ?? '');
