import { z } from 'zod';
import { isAddressOrNetwork } from './values/addresses.js';
import { parseDatabaseUrl } from './values/databaseUrl.js';
import { ConfigError } from './values/errors.js';
import { type Environment, readSettingsFile, trimSettings } from './values/settingsFile.js';
import { parseWebUrl, toBaseUrl } from './values/url.js';

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

/** Variables by name, each with the check of its text and its default. A message describes a wrong value to the user. */
const variables = z.object({
  DATABASE_URL: z.string().optional(),
  HOST: z.string().default('127.0.0.1'),
  LOG_LEVEL: z.enum(logLevels, isNot(`one of ${logLevels.join(', ')}`)).default('info'),
  ORDERBEACON_DATA_DIR: z
    .string()
    .regex(/^(?!~(?:\/|$))/, isNot('a whole path: only a shell knows ~'))
    .default('.data'),
  ORDERBEACON_DEMO: z.enum(['on', 'off'], isNot('on or off')).optional(),
  ORDERBEACON_FEATURES: z
    .string()
    .regex(/^\w+(?:[\s,]+\w+)*$/, isNot('none, or names of features such as overview,refused'))
    .transform((text) => (text === 'none' ? [] : text.split(/[\s,]+/)))
    .optional(),
  ORDERBEACON_METRICS_TOKEN: z
    .string()
    // The token is a secret, so the message does not repeat it.
    .regex(/^[\x21-\x7e]{16,}$/, 'must be 16 or more characters of ASCII without spaces.')
    .optional(),
  ORDERBEACON_RATE_LIMIT: z
    .string()
    .regex(/^(?:[1-9]\d{0,8}|off)$/, isNot('a whole number of requests a minute from 1, or off'))
    .default('6000'),
  ORDERBEACON_TRUST_PROXY: z
    .string()
    .transform((text) => (/^\d+$/.test(text) ? Number(text) : text.split(/[\s,]+/)))
    .refine(
      (proxies) => (typeof proxies === 'number' ? proxies <= 32 : proxies.every(isAddressOrNetwork)),
      isNot('a whole number from 0 to 32, or addresses and networks such as 127.0.0.1,10.0.0.0/8'),
    )
    .default(0),
  PORT: wholeNumber(65535).default(8787),
  PUBLIC_URL: z
    .string()
    .transform(toPublicUrl)
    .refine((url) => url !== null, {
      // The message does not repeat the URL, because it may contain a password.
      error: 'must be a URL such as https://orders.shop.example, without user name, password, ? and #.',
    })
    .optional(),
});

/** Settings, read once, at the start. */
export interface Config {
  /**
   * URL of a PostgreSQL, 15 or newer, or of several hosts of which one is the primary. Null: the embedded PostgreSQL in `dataDir`.
   */
  databaseUrl: string | null;
  /** The folder of the embedded PostgreSQL. */
  dataDir: string;
  /** The port to listen on; 0 takes a free one. */
  port: number;
  /** The address to listen on. */
  host: string;
  /** The URL that browsers and integrators see, without a trailing slash. Null: derived from host and port. */
  publicUrl: string | null;
  /** Log lines below this level are left out. */
  logLevel: (typeof logLevels)[number];
  /** Order reports without a key per minute and client address. Null: no limit. */
  rateLimitPerMinute: number | null;
  /** Proxies in front of the server whose `X-Forwarded-For` is trusted: their number, or their addresses and networks. */
  trustedProxies: number | readonly string[];
  /**
   * The bearer token for `/metrics`. Null: `/metrics` answers only callers on this machine, and no caller if `PUBLIC_URL` or
   * `ORDERBEACON_TRUST_PROXY` is set.
   */
  metricsToken: string | null;
  /**
   * `on` creates the demo team on any database and serves its page to everyone; `off` does neither. Null: an embedded database has
   * the team. The page then answers only callers on this machine, and no caller if `PUBLIC_URL` or `ORDERBEACON_TRUST_PROXY` is
   * set.
   */
  demo: 'on' | 'off' | null;
  /** Names of the features that a server has. Null: all. */
  features: readonly string[] | null;
}

export const settingNames = [...Object.keys(variables.shape), 'ORDERBEACON_ENV_FILE'];

/**
 * Reads and checks the settings in the environment, and those in the file that its `ORDERBEACON_ENV_FILE` names. If both have a
 * setting, the environment's counts.
 * @throws ConfigError for the first wrong setting
 */
export function readConfig(env: Environment): Config {
  const { data, error } = variables.safeParse(withFile(env));
  if (error) throw new ConfigError(`${error.issues[0]!.path[0] as string} ${error.issues[0]!.message}`);
  if (data.DATABASE_URL) parseDatabaseUrl(data.DATABASE_URL);
  return {
    databaseUrl: data.DATABASE_URL ?? null,
    dataDir: data.ORDERBEACON_DATA_DIR,
    port: data.PORT,
    host: data.HOST,
    publicUrl: data.PUBLIC_URL ?? null,
    logLevel: data.LOG_LEVEL,
    rateLimitPerMinute: data.ORDERBEACON_RATE_LIMIT === 'off' ? null : Number(data.ORDERBEACON_RATE_LIMIT),
    trustedProxies: data.ORDERBEACON_TRUST_PROXY,
    metricsToken: data.ORDERBEACON_METRICS_TOKEN ?? null,
    demo: data.ORDERBEACON_DEMO ?? null,
    features: data.ORDERBEACON_FEATURES ?? null,
  };
}

/** Describes each variable that begins with `ORDERBEACON_` but is no setting, in the environment and in its file. */
export function describeUnknownSettings(env: Environment): string[] {
  return Object.entries(withFile(env))
    .filter(([name]) => /^ORDERBEACON_/i.test(name) && !settingNames.includes(name))
    .filter(([name, value]) => !isOfOthers(name, value))
    .map(([name]) => `${name} is no setting and is ignored. See the settings in guides/settings.md.`);
}

/** @returns true for a variable of the tests, or one that Kubernetes creates for a service with the name `orderbeacon` */
function isOfOthers(name: string, value: string): boolean {
  return (
    /^ORDERBEACON_(?:TEST|SERVICE|PORT)_/.test(name) ||
    (name === 'ORDERBEACON_PORT' && value.startsWith('tcp:'))
  );
}

/** Adds the file's settings to the environment's. */
function withFile(env: Environment): Record<string, string> {
  const own = trimSettings(env);
  for (const name of settingNames) {
    // Docker passes on the quotes of a file, and a data folder would have them in its name. The message does not repeat the value,
    // because it may be a password.
    if (/^(["']).*\1$/s.test(own[name] ?? ''))
      throw new ConfigError(`${name} is in quotes, which count as a part of it: leave them out.`);
  }
  return own.ORDERBEACON_ENV_FILE ? { ...readSettingsFile(own.ORDERBEACON_ENV_FILE), ...own } : own;
}

function wholeNumber(max: number) {
  return z
    .string()
    .refine((text) => /^\d+$/.test(text) && Number(text) <= max, isNot(`a whole number from 0 to ${max}`))
    .transform(Number);
}

/** Builds the message for a wrong value that is no secret. */
function isNot(allowed: string) {
  return { error: ({ input }: { input?: unknown }) => `is "${input}", but must be ${allowed}.` };
}

/** Writes a URL to which paths can be added, in the form of browsers; null for any other text. */
function toPublicUrl(text: string): string | null {
  const url = parseWebUrl(text);
  return url && !/[?#]/.test(text) && !url.username && !url.password ? toBaseUrl(url) : null;
}

/** Returns the public URL of a server, which browsers and integrators use: `PUBLIC_URL`, or else one from host and port. */
export function publicUrlOf({ publicUrl, host }: Config, port: number): string {
  // An address that means every interface is no host to link to.
  return publicUrl ?? urlOf(host === '0.0.0.0' || host === '::' ? 'localhost' : host, port);
}

/** Returns the URL of a host and port, with brackets around an IPv6 address (RFC 3986, section 3.2.2). */
export function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
