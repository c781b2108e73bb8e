import type { Context } from 'hono';
import { useRequestContext } from 'hono/jsx-renderer';
import type { Listeners } from '../core/listener.js';
import type { StoreRefund } from '../core/refunds/storeRefund.js';
import type { SdkFiles } from '../core/script/sdkFiles.js';
import type { Clock } from '../database/clock.js';
import type { Sql } from '../database/connection/connect.js';
import type { CompareUpload } from '../features/compare/console/compareUpload.js';
import type { CheckAddress } from '../features/pageCheck/console/checkAddress.js';
import type { StoreRefused } from '../features/refused/console/storeRefused.js';
import type { RefusedKeeper } from '../features/refused/keepRefused.js';
import type { RefusedSum } from '../features/refused/sql/groupRefused.js';
import type { ListedHook } from '../features/webhooks/sql/hook.js';
import type { AppEnv } from '../http/context.js';
import type { Uuid } from '../values/ids.js';
import { withoutEndSlashes } from '../values/webUrl.js';
import type { Ask } from './ask.js';
import type { Viewer } from './parts/viewer.js';
import type { FindSessions } from './signIn/findSessions.js';

/** Dependencies of the console's routes. */
export interface ConsoleDeps {
  ask: Ask;
  findSessions: FindSessions;
  storeRefused: StoreRefused;
  findUnkept: RefusedKeeper['findUnkept'];
  compareUpload: CompareUpload;
  checkAddress: CheckAddress;
  storeRefund: StoreRefund;
  listeners: Listeners;
  /** The installation's secret, which people's ids are made with. */
  secret: string;
  clock: Clock;
  sdk: SdkFiles;
  /** The URL that browsers see. */
  publicUrl: () => string;
  /** Number of proxies in front whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed. */
  trustedProxies: number;
}

/** The signed-in browser, and the team whose console it sees. */
export interface Session {
  teamId: Uuid;
  /** SHA-256 of the cookie's token, the session's key in the database. */
  hash: string;
  teamName: string;
  /** The team's time zone. */
  zone: string;
  isDemo: boolean;
  /** True when the browser may look only: then every form that changes something of the team is refused. */
  isReadOnly: boolean;
  /** The teams of this browser's other sessions. */
  otherTeams: readonly OtherTeam[];
}

/** A team that the browser is signed in to beside the current one. */
export interface OtherTeam {
  id: Uuid;
  name: string;
}

/** Marks of the navigation: refused reports that need attention, and webhooks, of which some may be off. */
export interface Marks {
  refused: readonly RefusedSum[];
  hooks: readonly ListedHook[];
}

/** Runs a statement of the session's team when it is the team's turn; see `Ask`. */
export type Query = <Args extends unknown[], Result>(
  statement: (sql: Sql, teamId: Uuid, ...args: Args) => PromiseLike<Result>,
  ...args: Args
) => Promise<Result>;

/** Variables of a request to the console. */
export interface ConsoleEnv extends AppEnv {
  Variables: AppEnv['Variables'] & {
    /** See `basePath`. */
    base: string;
    /** Over https, cookies are `Secure` and bound to this host by their prefix (RFC 6265bis, section 4.1.3). */
    cookies: { prefix?: 'host' };
    viewer: Viewer;
    /** The fields of a form that was posted. */
    form: Record<string, string>;
    // These are set on every page of a team.
    session: Session;
    /** The path of the session's team, which all of its pages lie below: `/console/team_…`. */
    home: string;
    query: Query;
    /** True for the world of test orders, which the address names. */
    isTest: boolean;
    /** Writes the address of a page below the team's, in the same world. */
    link: (path: string, parameters?: Record<string, string | undefined>) => string;
    /** Reads what the navigation marks, once a request. */
    readMarks: () => Promise<Marks>;
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
