import type { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import type { Listeners } from '../core/listener.js';
import type { PlaceStatements } from '../core/orders/merge/placing.js';
import type { StoreRefund } from '../core/refunds/storeRefund.js';
import type { Platform } from '../core/script/platformTags.js';
import type { SdkFiles } from '../core/script/sdkFiles.js';
import type { SeenHosts } from '../core/script/seenHosts.js';
import type { Clock } from '../database/clock.js';
import type { Fragment, Sql } from '../database/connection/connect.js';
import type { InTurn } from '../database/turns.js';
import type { TrustedProxies } from '../http/trustedProxies.js';
import type { Uuid } from '../values/ids.js';
import type { ConsoleContext, ConsoleEnv, Place } from './context.js';
import type { Tone } from './parts/panel.js';
import type { Way } from './parts/sitePage.js';
import type { TimelineStep } from './parts/timeline.js';
import type { WholeOrderRow } from './sql/shownOrders.js';

/** Dependencies of the console's routes. */
export interface ConsoleDeps {
  parts: readonly ConsolePart[];
  inTurn: InTurn;
  storeRefund: StoreRefund;
  place: PlaceStatements;
  listeners: Listeners;
  /** The installation's secret, which people's ids are made with. */
  secret: string;
  clock: Clock;
  sdk: SdkFiles;
  /** The URL that browsers see. */
  publicUrl: () => string;
  /** Hosts whose pages have loaded the script. */
  seenHosts: SeenHosts;
  /** True for a server that only its own machine reaches. */
  isOwnMachine: boolean;
  /** What this server has beside the console. */
  ways: readonly Way[];
  /** Proxies in front whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed. */
  trustedProxies: TrustedProxies;
}

/** What one idea adds to the console. All members but `at` are optional, and used in the order of `at`. */
export interface ConsolePart {
  /** Its place among the parts, in the navigation and of what needs somebody: from 0, the first and worst. */
  at: number;
  /** Its page in the navigation. */
  place?: Place & {
    /** Reads what marks it there, such as a number. */
    mark?(c: ConsoleContext): Promise<Child>;
  };
  /** Its page of Setup, before that of keys. */
  setup?: SetupPage & {
    /** Reads what Setup's navigation says of it. */
    state(c: ConsoleContext): Promise<SetupState>;
  };
  /** Draws what Setup's page Install offers in place of the pieces of a platform, above them; null for nothing. */
  offer?(c: ConsoleContext, shown: { platform: Platform; publicUrl: string }): Promise<Child>;
  /** Draws a panel of Setup's page Install, before the orders that arrive. The first part that has one counts. */
  install?(): Child;
  /** Reads a panel of Setup's page Shop; null for nothing. */
  shop?(c: ConsoleContext): Promise<Child>;
  /** Reads a line that stands above the overview's figures; null for nothing. */
  notice?(c: ConsoleContext): Promise<Child>;
  /** Adds its pages below a team's address. Their forms are small, and have been read. */
  routes?(app: Hono<ConsoleEnv>, deps: ConsoleDeps): void;
  /** Adds pages whose forms carry files, and which limit and read these themselves. */
  fileRoutes?(app: Hono<ConsoleEnv>, deps: ConsoleDeps): void;
  /** Its addresses, with all below them, that lead to the first team where they name none, as bookmarks may. */
  bookmarks?: readonly string[];
  /** Reads what needs somebody; null for nothing. The first one of all parts is the worst. */
  trouble?(c: ConsoleContext): Promise<Need | null>;
  /** Reads what it knows of an order, for its timeline. */
  ofOrder?(c: ConsoleContext, order: WholeOrderRow): Promise<TimelineStep[]>;
  /** Selects the ids and times (`id`, `at`) of the newest that its live pages show. It runs once a second while one is open. */
  news?(sql: Sql, teamId: Uuid): Fragment;
}

/** A page of Setup, by its title. */
export interface SetupPage {
  title: string;
  path: string;
}

/** State of a page of Setup, in few words. */
export interface SetupState {
  tone: Tone | undefined;
  about: string;
}

/** One thing that needs somebody: in a line of its own where it is the worst, else as a link. */
export interface Need {
  tone: Tone;
  /** The fault in few words, and more of it. */
  title: string;
  about?: Child;
  href: string;
  button: string;
}
