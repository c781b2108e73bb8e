import type { Context } from 'hono';
import type { AppEnv } from '../http/context.js';
import type { SdkFiles } from '../site/sdkFiles.js';
import type { Uuid } from '../values/ids.js';
import type { Ask } from './ask.js';
import type { KeepSums } from './keepSums.js';
import type { Reader } from './reader.js';
import type { StoreRefused } from './storeRefused.js';

/** What the console's routes need. */
export interface ConsoleDeps {
  ask: Ask;
  keepSums: KeepSums;
  storeRefused: StoreRefused;
  /** The installation's secret, which people's ids are made with. */
  secret: string;
  sdk: SdkFiles;
  /** The URL that browsers see. */
  publicUrl: () => string;
  /** How many proxies in front are believed in `X-Forwarded-For` and `X-Forwarded-Proto`. */
  trustedProxies: number;
  /** True from the moment that the server drains: then live pages are let go. */
  isStopping: () => boolean;
}

/** Who is signed in. */
export interface Session {
  teamId: Uuid;
  /** SHA-256 of the cookie's token, the session's key in the database. */
  hash: string;
  teamName: string;
  isDemo: boolean;
  /** What each form of this session carries, and no other site knows. */
  formToken: string;
}

/** The context of a console page. */
export interface ConsoleEnv extends AppEnv {
  Variables: AppEnv['Variables'] & { session: Session; reader: Reader };
}

/** The context of one request to the console. */
export type ConsoleContext = Context<ConsoleEnv>;

/** The path that a proxy adds in front of every path of this server: that of the public URL, usually empty. */
export function basePath(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/+$/, '');
}
