import type { Hono } from 'hono';
import { ApiError } from '../values/errors.js';
import type { AppEnv } from './context.js';

/**
 * Refuses the methods that a path does not answer with 405 and `Allow` (RFC 9110, section 10.2.1). Called once the app has
 * all its routes. Hono answers HEAD where it answers GET.
 */
export function refuseOtherMethods(app: Hono<AppEnv>): void {
  const methodsOf = new Map<string, Set<string>>();
  for (const { path, method } of app.routes) {
    if (method === 'ALL') continue;
    const methods = methodsOf.get(path) ?? new Set();
    methodsOf.set(path, methods.add(method));
    if (method === 'GET') methods.add('HEAD');
  }
  for (const [path, methods] of methodsOf) {
    const headers = { Allow: [...methods].join(', ') };
    app.all(path, function refuseOtherMethod() {
      throw new ApiError('method_not_allowed', { headers });
    });
  }
}
