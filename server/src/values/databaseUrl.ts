import { ConfigError } from './errors.js';
import { parseUrl } from './parseUrl.js';

/** Address of one PostgreSQL. */
export interface DatabaseHost {
  host: string;
  port: number;
}

/** A parsed `DATABASE_URL`. */
export interface DatabaseUrl {
  /** The URL with its first host only, and without `target_session_attrs`. */
  url: URL;
  /** Name of the database; empty for the one that has the user's name. */
  name: string;
  /** All hosts, in the order in which they are tried. */
  hosts: DatabaseHost[];
  /** True when a host that takes no writes is passed over: with several hosts, or when the URL asks for it. */
  needsPrimary: boolean;
}

const protocols = ['postgres:', 'postgresql:'];
const defaultPort = 5432;
const form =
  'DATABASE_URL must be a URL such as postgres://user:password@host:5432/name. In a password write %25 for %, %2F for /, %3F for ? and %23 for #.';

/**
 * Reads a URL as libpq does (PostgreSQL manual, "Connection URIs"), with several hosts too:
 * `postgres://user:password@one:5432,two:5432/name?target_session_attrs=read-write`. Throws `ConfigError`, which names
 * `DATABASE_URL` and holds no password.
 */
export function parseDatabaseUrl(text: string): DatabaseUrl {
  const [, start, authority, rest] = /^([a-z]+:\/\/)([^/?#]*)(.*)$/is.exec(text) ?? [];
  const at = authority?.lastIndexOf('@') ?? -1;
  const [credentials, places] = [
    authority?.slice(0, at + 1) ?? '',
    (authority?.slice(at + 1) ?? '').split(','),
  ];
  // libpq takes a socket folder, or nothing, for the host; a URL takes neither beside a user.
  const [, folder = '', place = ''] = /^(%2F[^:]*)?(.*)$/is.exec(places[0]!)!;
  const host = /^(?::|$)/.test(place) ? 'localhost' : '';
  const url = parseUrl(`${start}${credentials}${host}${place}${rest}`);
  if (!url || endsEarly(rest!)) throw new ConfigError(form);
  if (!protocols.includes(url.protocol) || !isEncoded(credentials + folder + url.pathname))
    throw new ConfigError(form);
  if (folder !== '') url.searchParams.set('host', decodeURIComponent(folder));
  const sessionAttrs = url.searchParams.get('target_session_attrs');
  if (sessionAttrs !== null && sessionAttrs !== 'read-write' && sessionAttrs !== 'primary') {
    throw new ConfigError('target_session_attrs in DATABASE_URL must be read-write, or left out.');
  }
  url.searchParams.delete('target_session_attrs');
  const hosts = places.length === 1 ? [hostOf(url)] : places.map((place) => hostOf(parsePlace(place)));
  const name = decodeURIComponent(url.pathname.slice(1));
  return { url, name, hosts, needsPrimary: hosts.length > 1 || sessionAttrs !== null };
}

/** True when a character of the password has ended the host, so that what follows would be printed as the database's name. */
function endsEarly(rest: string): boolean {
  return /^[^?]*@|#/.test(rest);
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

function parsePlace(place: string): URL {
  const url = place === '' ? null : parseUrl(`postgres://${place}`);
  if (url) return url;
  throw new ConfigError(
    'Each host in DATABASE_URL must be like host:5432, with commas between them: postgres://user:password@one:5432,two:5432/name.',
  );
}

function hostOf({ hostname, port }: URL): DatabaseHost {
  // A URL has an IPv6 address in brackets; `connect` of Node takes it without them.
  return { host: hostname.replace(/^\[(.*)\]$/, '$1') || 'localhost', port: Number(port || defaultPort) };
}
