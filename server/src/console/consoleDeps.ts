import type { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import type { Listeners } from '../core/listener.js';
import type { PlaceStatements } from '../core/orders/merge/placing.js';
import type { StoreRefund } from '../core/refunds/storeRefund.js';
import type { SdkFiles } from '../core/script/sdkFiles.js';
import type { SeenHosts } from '../core/script/seenHosts.js';
import type { Clock } from '../database/clock.js';
import type { InTurn } from '../database/turns.js';
import type { TrustedProxies } from '../http/trustedProxies.js';
import type { ConsoleContext, ConsoleEnv } from './context.js';
import type { NavLink } from './parts/sitePage.js';
import type { Need, ReadSteps, Section, SetupSection, Spot } from './section.js';

/** Dependencies of the console's routes. */
export interface ConsoleDeps {
  parts: ConsoleParts;
  inTurn: InTurn;
  storeRefund: StoreRefund;
  place: PlaceStatements;
  listeners: Listeners;
  /** The installation's secret, from which people's ids are computed. */
  secret: string;
  clock: Clock;
  sdk: SdkFiles;
  /** The URL that browsers see. */
  publicUrl: () => string;
  /** Hosts whose pages have loaded the script. */
  seenHosts: SeenHosts;
  /** Set if only its own machine reaches this server. */
  isOwnMachine: boolean;
  /** Pages of this server outside the console. */
  navLinks: readonly NavLink[];
  /** Proxies in front whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed. */
  trustedProxies: TrustedProxies;
}

/** All that sections and features have added to a console. */
export interface ConsoleParts {
  /** In the order of the navigation. */
  sections: readonly Section[];
  setupPages: readonly SetupSection[];
  pages: readonly AddPages[];
  /** Pages whose forms carry files. */
  filePages: readonly AddPages[];
  bookmarks: readonly string[];
  /** Draws what features have added to a spot of a page. */
  draw(spot: Spot, c: ConsoleContext): Promise<Child[]>;
  /** Reads the problems that need a person, the worst first. */
  readNeeds(c: ConsoleContext): Promise<readonly Need[]>;
  /** Reads the steps of an order's timeline. */
  readSteps: ReadSteps;
}

/** Adds routes of pages. Called once per server. */
export type AddPages = (app: Hono<ConsoleEnv>, deps: ConsoleDeps) => void;
