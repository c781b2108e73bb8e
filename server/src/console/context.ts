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
  /** The shop's currency; null where nobody has chosen one. */
  currency: string | null;
  isDemo: boolean;
  /** True when the browser may look only: then every form that changes something of the team is refused. */
  isReadOnly: boolean;
  /** The teams of this browser's other sessions. */
  otherTeams: readonly OtherTeam[];
}

/** A team that the browser is signed in to beside the current one. */
interface OtherTeam {
  id: Uuid;
  name: string;
}

/** A page in the navigation. */
export interface NavigationPage {
  /** Its path below a team's. */
  path: string;
  title: string;
  /** The strokes of its picture. */
  icon: string;
}

/** A place with what marks it; undefined for nothing. */
export interface MarkedPage extends NavigationPage {
  mark: Child | undefined;
}

/** Runs a statement of the session's team when it is the team's turn; see `InTurn`. */
export type Query = <Args extends unknown[], Result>(
  statement: (sql: Sql, teamId: Uuid, ...args: Args) => PromiseLike<Result>,
  ...args: Args
) => Promise<Result>;

/** Runs a statement as `Query` does, once a request: later calls with the same words get the first one's result. */
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
    /** The address that guides are served below; null if none are. */
    guides: string | null;
    /** Over https, cookies are `Secure` and bound to this host by their prefix (RFC 6265bis, section 4.1.3). */
    cookies: { prefix?: 'host' };
    viewer: Viewer;
    /** Hosts whose pages have loaded the script. */
    seenHosts: SeenHosts;
    /** The fields of a form that was posted. */
    form: Record<string, string>;
    // These are set on every page of a team.
    session: Session;
    /** The path of the session's team, which all of its pages lie below: `/console/team_…`. */
    home: string;
    query: Query;
    queryOnce: QueryOnce;
    /** True for the world of test orders, which the address names. */
    isTest: boolean;
    /** Writes the address of a page below the team's, in the same world. */
    link: (path: string, parameters?: Record<string, string | undefined>) => string;
    /** Reads the pages of the navigation with their marks, once a request. Pages read them beside their own statements. */
    readNavigation: () => Promise<readonly MarkedPage[]>;
  };
}

/** One request to the console. */
export type ConsoleContext = Context<ConsoleEnv>;

/** Variables of the request that a component is rendered for. */
export function useConsole(): ConsoleContext['var'] {
  return useRequestContext<ConsoleEnv>().var;
}

/** The path that a proxy adds in front of every path of this server: that of the public URL, usually empty. */
export function basePath(publicUrl: string): string {
  return withoutEndSlashes(new URL(publicUrl).pathname);
}
