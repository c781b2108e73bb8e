import { ConfigError } from './errors.js';
import { parseUrl } from './parseUrl.js';

/** Address of one PostgreSQL. */
export interface DatabaseHost {
  host: string;
  port: number;
}

/** A parsed `DATABASE_URL`. */
export interface DatabaseUrl {
  /** User, password and parameters. Its host and the name of its database are those below. */
  url: URL;
  /** Name of the database; empty for the one that has the user's name. */
  name: string;
  /** All hosts, in the order in which they are tried. */
  hosts: DatabaseHost[];
  /** Folder of the socket to connect to in place of a host; null for a connection over the network. */
  folder: string | null;
  /** True when a host that takes no writes is passed over: with several hosts, or when the URL asks for it. */
  needsPrimary: boolean;
}

const form =
  'DATABASE_URL must be a URL such as postgres://user:password@host:5432/name; of several hosts it has one:5432,two:5432. In a password write %25 for %, %2F for /, %3F for ? and %23 for #.';

/**
 * Reads a URL as libpq does (PostgreSQL manual, "Connection URIs"). Throws `ConfigError`, which names `DATABASE_URL` and
 * holds no password.
 */
export function parseDatabaseUrl(text: string): DatabaseUrl {
  const [, start, credentials = '', encodedFolder = '', addresses = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/)([^/?#]*@)?(%2F[^/?#:]*)?([^/?#]*)(.*)$/is.exec(text) ?? [];
  const url = start === undefined ? null : parseUrl(`${start}${credentials}localhost${rest}`);
  // An unencoded character of the password was read as the end of the host: what follows would be shown as a name.
  const endsEarly = /^[^?]*@|#/.test(rest);
  if (!url || endsEarly || !isEncoded(credentials + encodedFolder + url.pathname))
    throw new ConfigError(form);

  const sessionAttrs = url.searchParams.get('target_session_attrs');
  if (sessionAttrs !== null && sessionAttrs !== 'read-write' && sessionAttrs !== 'primary') {
    throw new ConfigError('target_session_attrs in DATABASE_URL must be read-write, or left out.');
  }
  const hosts = /^(:|$)/.test(addresses)
    ? [parseHost(`localhost${addresses}`)]
    : addresses.split(',').map(parseHost);
  const folder = decodeURIComponent(encodedFolder) || url.searchParams.get('host');
  return {
    url,
    name: decodeURIComponent(url.pathname.slice(1)),
    hosts,
    folder: folder?.startsWith('/') ? folder : null,
    needsPrimary: hosts.length > 1 || sessionAttrs !== null,
  };
}

/** True for a text that can be decoded. One with a bare `%`, such as in a password, cannot. */
function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function parseHost(address: string): DatabaseHost {
  const url = parseUrl(`postgres://${address}`);
  if (!url?.hostname) throw new ConfigError(form);
  // A URL has an IPv6 address in brackets; Node connects to it without them.
  return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(url.port || 5432) };
}
