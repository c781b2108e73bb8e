import type { Context } from 'hono';
import { useRequestContext } from 'hono/jsx-renderer';
import type { Clock } from '../database/clock.js';
import type { AppEnv } from '../http/context.js';
import type { SdkFiles } from '../site/sdkFiles.js';
import type { Uuid } from '../values/ids.js';
import type { Ask } from './ask.js';
import type { FindSession } from './findSession.js';
import type { KeepSums } from './keepSums.js';
import type { StoreRefused } from './storeRefused.js';
import type { Viewer } from './viewer.js';

/** Dependencies of the console's routes. */
export interface ConsoleDeps {
  ask: Ask;
  findSession: FindSession;
  keepSums: KeepSums;
  storeRefused: StoreRefused;
  /** The installation's secret, which people's ids are made with. */
  secret: string;
  clock: Clock;
  sdk: SdkFiles;
  /** The URL that browsers see. */
  publicUrl: () => string;
  /** Number of proxies in front whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed. */
  trustedProxies: number;
  /** True from the moment that the server drains. Streams to live pages end then. */
  isStopping: () => boolean;
}

/** The signed-in browser, and the team whose console it sees. */
export interface Session {
  teamId: Uuid;
  /** SHA-256 of the cookie's token, the session's key in the database. */
  hash: string;
  teamName: string;
  isDemo: boolean;
  /** Token in each form of this session, which no other site knows. */
  formToken: string;
}

/** Variables of a request to the console. */
export interface ConsoleEnv extends AppEnv {
  Variables: AppEnv['Variables'] & {
    /** See `basePath`. */
    base: string;
    viewer: Viewer;
    /** Set on every page but the sign-in page. */
    session: Session;
    /** The fields of a form that was posted. */
    form: Record<string, string>;
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
  return new URL(publicUrl).pathname.replace(/\/+$/, '');
}
