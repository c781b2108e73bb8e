import type { Handle } from './exchange.js';
import type { Operation } from './operation.js';

/** Endpoint of the API. HEAD is answered wherever GET is. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'OPTIONS';
  /** The path's pattern. Its last segment may be a parameter, as in `/products/:id`. */
  path: string;
  handle: Handle;
  /** What integrators are told of it; undefined for one that is not theirs. */
  operation?: Operation;
}

/** Path of the API with its endpoints. */
export interface Route {
  /** The path's pattern, for the log and the metrics. */
  path: string;
  /** Endpoints by method, HEAD among them wherever GET is. */
  handlers: ReadonlyMap<string, Handle>;
}

/** Finds the route of a path, and the decoded parameter of the path, empty where it has none; null for no route. */
export type FindRoute = (path: string) => { route: Route; name: string } | null;

/** Makes the look-up of routes. Only the last segment of a path may be a parameter, as in `/products/:id`. */
export function createFindRoute(endpoints: readonly Endpoint[]): FindRoute {
  const routes = new Map<string, Route & { handlers: Map<string, Handle> }>();
  for (const { method, path, handle } of endpoints) {
    // A parameter is left out: `/products/:id` is found by `/products/`.
    const fixed = path.replace(/:\w+$/, '');
    const route = routes.get(fixed) ?? { path, handlers: new Map() };
    routes.set(fixed, route);
    route.handlers.set(method, handle);
    if (method === 'GET') route.handlers.set('HEAD', handle);
  }

  return function findRoute(path) {
    if (path.endsWith('/')) return null;
    const exact = routes.get(path);
    if (exact !== undefined) return { route: exact, name: '' };
    const slash = path.lastIndexOf('/') + 1;
    const route = routes.get(path.slice(0, slash));
    return route === undefined ? null : { route, name: decode(path.slice(slash)) };
  };
}

/** Decodes a segment. One that is encoded wrongly stays as it is, and then names nothing. */
function decode(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
