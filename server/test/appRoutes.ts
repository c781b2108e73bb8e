import { type AppDeps, createApp } from '../src/app/app.js';
import { queueBounds } from '../src/database/batch/groupCommit.js';
import { loadSdkFiles } from '../src/site/sdkFiles.js';

/** Lists the routes of the app, those of its pages and the endpoints of the API, without a database. */
export async function appRoutes() {
  const { pages, endpoints } = createApp({
    pools: {},
    queue: queueBounds,
    sdk: await loadSdkFiles(),
    metrics: { watchQueue() {} },
    metricsAccess: { token: null },
  } as unknown as AppDeps);
  return { pages: pages.routes, endpoints };
}
