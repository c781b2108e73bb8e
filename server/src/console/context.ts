import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import { useRequestContext } from 'hono/jsx-renderer';
import type { SeenHosts } from '../core/script/seenHosts.js';
import type { Sql } from '../database/connection/connect.js';
import type { AppEnv } from '../http/hono.js';
import type { Uuid } from '../values/ids.js';
import { withoutEndSlashes } from '../values/url.js';
import type { NavLink } from './parts/sitePage.js';
import type { Viewer } from './parts/viewer.js';

/** The signed-in browser, and the team whose console it sees. */
export interface Session {
  teamId: Uuid;
  /** SHA-256 of the cookie's token, the session's key in the database. */
  hash: string;
  teamName: string;
  /** The team's time zone. */
  zone: string;
  /** The shop's currency; null if it was not chosen. */
  currency: string | null;
  isDemo: boolean;
  /** Set if the browser has view-only access: every form that changes something of the team is refused. */
  isReadOnly: boolean;
  /** The teams of this browser's other sessions. */
  otherTeams: readonly OtherTeam[];
}

/** Another team that the browser is signed in to. */
interface OtherTeam {
  id: Uuid;
  name: string;
}

/** A page in the navigation. */
export interface NavigationPage {
  /** Its path below the team's. */
  path: string;
  title: string;
  /** The SVG path of its icon. */
  icon: string;
}

/** A page of the navigation with its mark; undefined if it has none. */
export interface MarkedPage extends NavigationPage {
  mark: Child | undefined;
}

/** Runs a statement of the session's team when it is the team's turn (`InTurn`). */
export type Query = <Args extends unknown[], Result>(
  statement: (sql: Sql, teamId: Uuid, ...args: Args) => PromiseLike<Result>,
  ...args: Args
) => Promise<Result>;

/** Runs a statement as `Query` does, once per request: later calls with the same arguments get the first one's result. */
export type QueryOnce = <Args extends readonly (string | boolean)[], Result>(
  statement: (sql: Sql, teamId: Uuid, ...args: Args) => PromiseLike<Result>,
  ...args: Args
) => Promise<Result>;

/** Variables of a request to the console. */
export interface ConsoleEnv extends AppEnv {
  Variables: {
    /** See `basePath`. */
    base: string;
    /** Pages of this server outside the console. */
    navLinks: readonly NavLink[];
    /** The path that guides are served below; null if this server has none. */
    guides: string | null;
    /** Options of cookies. Over https they are `Secure` and bound to this host by their prefix (RFC 6265bis, section 4.1.3). */
    cookies: { prefix?: 'host' };
    viewer: Viewer;
    /** Hosts whose pages have loaded the script. */
    seenHosts: SeenHosts;
    /** The fields of a form that was posted. */
    form: Record<string, string>;
    // Every page of a team has the following variables.
    session: Session;
    /** The path of the session's team, such as `/console/team_…`. All of its pages lie below it. */
    home: string;
    query: Query;
    queryOnce: QueryOnce;
    /** The mode that the address names: true shows test orders. */
    isTest: boolean;
    /** Writes the address of a page of the same team and mode. */
    link: (path: string, parameters?: Record<string, string | undefined>) => string;
    /** Reads the pages of the navigation with their marks, once per request, concurrently with the page's own statements. */
    readNavigation: () => Promise<readonly MarkedPage[]>;
  };
}

/** One request to the console. */
export type ConsoleContext = Context<ConsoleEnv>;

/** Returns the variables of the request that a component is rendered for. */
export function useConsole(): ConsoleContext['var'] {
  return useRequestContext<ConsoleEnv>().var;
}

/** Returns the path that a proxy adds before every path of this server: that of the public URL, usually empty. */
export function basePath(publicUrl: string): string {
  return withoutEndSlashes(new URL(publicUrl).pathname);
}
