import { Registry } from 'prom-client';
import { type AppDeps, createApp } from '../../src/app/app.js';
import { features } from '../../src/app/features.js';
import { loadSdkFiles } from '../../src/core/script/sdkFiles.js';
import { queueBounds } from '../../src/database/queue.js';

/** Lists the routes of the app's pages and the endpoints of its API, without a database. */
export async function appRoutes() {
  const { pages, endpoints } = createApp({
    pools: { orders: [] },
    queue: queueBounds,
    clock: { nowMs: () => 0 },
    sdk: await loadSdkFiles(),
    metrics: { watchQueue() {}, registry: new Registry() },
    features,
    metricsAccess: { token: null },
  } as unknown as AppDeps);
  // Removes the patterns of parameters.
  const routes = pages.routes.map((route) => ({ ...route, path: route.path.replaceAll(/\{[^}]*\}/g, '') }));
  return { pages: routes, endpoints };
}

/** Lists the method and path of every route of the app, such as `GET /console/:team/orders/:id`, each once. */
export async function appPaths(): Promise<string[]> {
  const { pages, endpoints } = await appRoutes();
  const routes = [...pages, ...endpoints].filter(({ method }) => method !== 'ALL');
  return [...new Set(routes.map(({ method, path }) => `${method} ${path}`))];
}
