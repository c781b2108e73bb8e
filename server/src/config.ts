import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { parseDatabaseUrl } from './values/databaseUrl.js';
import { ConfigError } from './values/errors.js';
import { parseSettings } from './values/parseSettings.js';
import { withoutByteOrderMark } from './values/text.js';
import { parseWebUrl, toBaseUrl } from './values/webUrl.js';

/** Settings, read once, at the start. */
export interface Config {
  /** `DATABASE_URL`: a PostgreSQL, 15 or newer, or several hosts of which one is the primary. Null: the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | null;
  /** `ORDERBEACON_DATA_DIR`, default `.data` under the working directory. */
  dataDir: string;
  /** `PORT`, default 8787; 0 takes a free port. */
  port: number;
  /** `HOST`, default 127.0.0.1. */
  host: string;
  /** `PUBLIC_URL`: the URL that browsers and integrators see, without a slash at its end. Null: derived from host and port. */
  publicUrl: string | null;
  /** `LOG_LEVEL`, default `info`. */
  logLevel: (typeof logLevels)[number];
  /** `ORDERBEACON_RATE_LIMIT`: order reports without a key per minute and client address, default 6000. Null: `off`. */
  rateLimitPerMinute: number | null;
  /** `ORDERBEACON_TRUST_PROXY`: how many proxies stand in front and append to `X-Forwarded-For`, default 0. */
  trustedProxies: number;
  /**
   * `ORDERBEACON_METRICS_TOKEN`: the bearer token for `/metrics`. Null: `/metrics` answers only callers on this
   * machine, and nobody when `PUBLIC_URL` or `ORDERBEACON_TRUST_PROXY` is set.
   */
  metricsToken: string | null;
  /**
   * `ORDERBEACON_DEMO`: `on` makes the demo team on any database and serves its page to everyone, `off` does neither.
   * Null: an embedded database has the team, and the page answers only callers on this machine, and nobody when
   * `PUBLIC_URL` or `ORDERBEACON_TRUST_PROXY` is set.
   */
  demo: 'on' | 'off' | null;
}

/** Names of the settings. */
export const settingNames = [
  'DATABASE_URL',
  'HOST',
  'LOG_LEVEL',
  'ORDERBEACON_DATA_DIR',
  'ORDERBEACON_DEMO',
  'ORDERBEACON_ENV_FILE',
  'ORDERBEACON_METRICS_TOKEN',
  'ORDERBEACON_RATE_LIMIT',
  'ORDERBEACON_TRUST_PROXY',
  'PORT',
  'PUBLIC_URL',
] as const;

/** One of `settingNames`. */
export type SettingName = (typeof settingNames)[number];

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

/**
 * Reads and checks the settings in the environment, and those in the file that its `ORDERBEACON_ENV_FILE` names; where
 * both have one, that of the environment counts.
 * @throws ConfigError for the first wrong one
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const path = readVariable(env, 'ORDERBEACON_ENV_FILE');
  const file = path ? readSettingsFile(path) : undefined;
  const read = (name: SettingName) => readVariable(env, name) || file?.get(name) || undefined;

  const wholeNumber = (name: SettingName, fallback: number, max: number): number => {
    const text = read(name);
    if (text === undefined) return fallback;
    const value = Number(text);
    if (!/^\d+$/.test(text) || value > max) throw wrong(name, text, `a whole number from 0 to ${max}`);
    return value;
  };

  const publicUrl = parseBaseUrl(read('PUBLIC_URL'));

  const logLevel = read('LOG_LEVEL') ?? 'info';
  if (!isLogLevel(logLevel)) throw wrong('LOG_LEVEL', logLevel, `one of ${logLevels.join(', ')}`);

  const rateLimit = read('ORDERBEACON_RATE_LIMIT') ?? '6000';
  if (rateLimit !== 'off' && !/^[1-9]\d{0,8}$/.test(rateLimit)) {
    throw wrong('ORDERBEACON_RATE_LIMIT', rateLimit, 'a whole number of requests a minute from 1, or off');
  }

  const metricsToken = read('ORDERBEACON_METRICS_TOKEN') ?? null;
  if (metricsToken !== null && !/^[\x21-\x7e]{16,}$/.test(metricsToken)) {
    // The token is a secret, so the message does not repeat it.
    throw new ConfigError('ORDERBEACON_METRICS_TOKEN must be 16 or more characters of ASCII without spaces.');
  }

  const dataDir = read('ORDERBEACON_DATA_DIR') ?? '.data';
  if (/^~(?:\/|$)/.test(dataDir)) {
    throw wrong('ORDERBEACON_DATA_DIR', dataDir, 'a whole path: only a shell knows ~');
  }

  const databaseUrl = read('DATABASE_URL') ?? null;
  if (databaseUrl !== null) parseDatabaseUrl(databaseUrl);
  const demo = read('ORDERBEACON_DEMO') ?? null;
  if (demo !== null && demo !== 'on' && demo !== 'off') throw wrong('ORDERBEACON_DEMO', demo, 'on or off');

  return {
    databaseUrl,
    dataDir,
    port: wholeNumber('PORT', 8787, 65535),
    host: read('HOST') ?? '127.0.0.1',
    publicUrl,
    logLevel,
    rateLimitPerMinute: rateLimit === 'off' ? null : Number(rateLimit),
    trustedProxies: wholeNumber('ORDERBEACON_TRUST_PROXY', 0, 32),
    metricsToken,
    demo,
  };
}

/**
 * Reads a variable of the environment. Throws `ConfigError` for a value in quotes: Docker and others pass on those of a file,
 * and a data folder or a token would have them in its name.
 */
function readVariable(env: Record<string, string | undefined>, name: SettingName): string | undefined {
  const value = env[name]?.trim();
  // The value may be a password, so the message does not repeat it.
  if (value && /^(["']).*\1$/s.test(value))
    throw new ConfigError(`${name} is in quotes, which count as a part of it: leave them out.`);
  return value;
}

/** Reads a URL that paths can be added to, in the form in which browsers write it; null for none. */
function parseBaseUrl(text: string | undefined): string | null {
  if (text === undefined) return null;
  const url = parseWebUrl(text);
  // A password in it is not repeated.
  if (!url || /[?#]/.test(text) || url.username || url.password)
    throw new ConfigError(
      'PUBLIC_URL must be a URL such as https://orders.shop.example, without user name, password, ? and #.',
    );
  return toBaseUrl(url);
}

function wrong(name: string, value: string, allowed: string): ConfigError {
  return new ConfigError(`${name} is "${value}", but must be ${allowed}.`);
}

function isLogLevel(text: string): text is Config['logLevel'] {
  return (logLevels as readonly string[]).includes(text);
}

/** Reads the file of settings. A relative path in it would mean another folder in each working directory. */
export function readSettingsFile(path: string): Map<string, string> {
  const settings = parseSettings(readText(path), path);
  const dataDir = settings.get('ORDERBEACON_DATA_DIR');
  if (dataDir && !isAbsolute(dataDir)) {
    throw new ConfigError(`ORDERBEACON_DATA_DIR in ${path} must be a whole path, which begins with /.`);
  }
  return settings;
}

function readText(path: string): string {
  try {
    return withoutByteOrderMark(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new ConfigError(
      `ORDERBEACON_ENV_FILE is "${path}", which cannot be read: ${(error as NodeJS.ErrnoException).code}.`,
    );
  }
}

/** Public URL of a server, which browsers and integrators use: `PUBLIC_URL`, else made of host and port. */
export function publicUrlOf({ publicUrl, host }: Config, port: number): string {
  // Every interface is no host to link to.
  return publicUrl ?? urlOf(host === '0.0.0.0' || host === '::' ? 'localhost' : host, port);
}

/** URL of a host and port, with brackets around an IPv6 address (RFC 3986, section 3.2.2). */
export function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
