import { ConfigError } from './errors.js';
import { parseUrl } from './url.js';

export interface DatabaseHost {
  host: string;
  port: number;
}

/** A parsed `DATABASE_URL`. */
export interface DatabaseUrl {
  /** User, password and the parameters that name no address. Its host and database are not meaningful: see below. */
  url: URL;
  /** Name of the database; empty for the one that has the user's name. */
  name: string;
  /** All hosts, in the order in which they are tried. */
  hosts: DatabaseHost[];
  /** Folder of the socket to connect to instead of a host; null for a connection over the network. */
  folder: string | null;
  /** Set if a host that accepts no writes is skipped: with several hosts, or if the URL asks for it. */
  needsPrimary: boolean;
}

const form =
  'DATABASE_URL must be a URL such as postgres://user:password@host:5432/name; of several hosts it has one:5432,two:5432. In a password write %25 for %, %2F for /, %3F for ? and %23 for #.';

/**
 * Reads a URL as libpq does (PostgreSQL manual, "Connection URIs"). Also reads one with the name of a driver, such as
 * `postgresql+asyncpg://` or `jdbc:postgresql://`.
 * @throws ConfigError that names `DATABASE_URL` and contains no password
 */
export function parseDatabaseUrl(text: string): DatabaseUrl {
  const [, scheme, credentials = '', encodedFolder = '', addresses = '', rest = ''] =
    /^(?:jdbc:)?(postgres(?:ql)?)(?:\+\w+)?:\/\/([^/?#]*@)?(%2F[^/?#:]*)?([^/?#]*)(.*)$/is.exec(text) ?? [];
  const url = scheme === undefined ? null : parseUrl(`postgres://${credentials}localhost${rest}`);
  // An unencoded character of the password was read as the end of the host: the rest would be shown as a name.
  const endsEarly = /^[^?]*@|#/.test(rest);
  if (!url || endsEarly || !isEncoded(credentials + encodedFolder + url.pathname))
    throw new ConfigError(form);

  const take = (parameter: string) => {
    const value = url.searchParams.get(parameter);
    url.searchParams.delete(parameter);
    return value;
  };
  const sessionAttrs = take('target_session_attrs') ?? 'any';
  if (!/^(?:any|read-write|primary)$/.test(sessionAttrs)) {
    throw new ConfigError('target_session_attrs in DATABASE_URL must be read-write, or left out.');
  }
  url.username = encodeURIComponent(take('user') ?? decodeURIComponent(url.username));
  url.password = encodeURIComponent(take('password') ?? decodeURIComponent(url.password));
  const host = take('host') ?? '';
  const port = take('port');
  const named = host.startsWith('/') ? '' : host;
  const all = named || addresses;
  const hosts = (/^(:|$)/.test(all) ? `localhost${all}` : all)
    .split(',')
    .map((address) => parseHost(address, port));
  const folder = decodeURIComponent(encodedFolder) || host;
  return {
    url,
    name: take('dbname') ?? decodeURIComponent(url.pathname.slice(1)),
    hosts,
    folder: folder.startsWith('/') ? folder : null,
    needsPrimary: hosts.length > 1 || sessionAttrs !== 'any',
  };
}

/** @returns true for a text that can be decoded; one with a bare `%`, such as in a password, cannot */
function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function parseHost(address: string, defaultPort: string | null): DatabaseHost {
  const url = parseUrl(`postgres://${address}`);
  const port = Number(url?.port || defaultPort || 5432);
  if (!url?.hostname || !(port > 0)) throw new ConfigError(form);
  // A URL has an IPv6 address in brackets; Node connects to it without them.
  return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port };
}
