import { type AppDeps, createApp } from '../src/app/app.js';
import { queueBounds } from '../src/database/batch/groupCommit.js';
import { loadSdkFiles } from '../src/site/sdkFiles.js';

/** The method and path of every route of the app, such as `GET /console/orders/:id`, each once. */
export async function appRoutes(): Promise<string[]> {
  const { pages, endpoints } = createApp({
    pools: {},
    queue: queueBounds,
    sdk: await loadSdkFiles(),
    metrics: { watchQueue() {} },
    metricsAccess: { token: null },
  } as unknown as AppDeps);
  const routes = [...pages.routes, ...endpoints].filter(({ method }) => method !== 'ALL');
  return [...new Set(routes.map(({ method, path }) => `${method} ${path}`))];
}
