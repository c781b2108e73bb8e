import type { Hono } from 'hono';
import type { NavLink } from '../console/parts/sitePage.js';
import type { Listener } from '../core/listener.js';
import type { Handle } from '../http/exchange.js';
import type { AppEnv } from '../http/hono.js';
import type { DescribeEvents, Operation } from '../http/operation.js';
import type { Endpoint } from '../http/wayIn.js';
import type { Program } from './program.js';
import type { Services } from './services.js';
import type { WatchRule } from './watch.js';

/** A server: its services, and the functions by which a feature adds to it. */
export interface Server extends Services, Pick<Program, 'every' | 'onStop'> {
  /**
   * Adds an endpoint that answers `GET` for a path below `/svc-api/v1/`; `post` adds one for `POST`.
   * @param operation describes the endpoint to integrators
   */
  get(path: string, handle: Handle, operation?: Operation): void;
  post(path: string, handle: Handle, operation?: Operation): void;
  /** Adds routes for pages outside the API and the console. */
  pages(path: string, routes: Hono<AppEnv>): void;
  /** Adds a link to the header of every page. */
  navLink(link: NavLink): void;
  /** Adds a listener that only a server has, not a command. */
  listen(listener: Listener): void;
  /** The endpoints, events and links of this server. Complete after all features are installed. */
  served: Served;
  /** The rules of all features, by the event's name. */
  watches: Readonly<Record<string, WatchRule>>;
}

/** The endpoints, events and links of a server. */
export interface Served {
  endpoints: readonly Endpoint[];
  events: readonly DescribeEvents[];
  /** Names of the features. */
  features: readonly string[];
  navLinks: readonly NavLink[];
}
