import { ConfigError } from '../../values/errors.js';

/** Parameters of a `DATABASE_URL` about connecting, except its address and its TLS. */
export interface UrlParameters {
  /** False if the URL turns prepared statements off, as for a pooler that gives each transaction another connection. */
  prepares: boolean;
  connectSeconds: number;
  /** Set if TLS starts directly, without a request for it. */
  isTlsDirect: boolean;
  /** Upper limit of a server's connections; null if the URL has none. */
  connectionLimit: number | null;
  /** All other parameters: settings that the connection asks PostgreSQL for. */
  settings: Record<string, string>;
}

/** Parameters that are ignored: PostgreSQL's own libraries need them, but this server does not. */
const left = ['client_encoding', 'database', 'replication', 'uselibpqcompat'];

/** Demands on a connection's safety that cannot be met. Ignoring them silently would weaken it. */
const demands = ['require_auth', 'requirepeer', 'sslcrl', 'sslcrldir'];

/** Parameters by which libraries turn prepared statements off. */
const unprepared: Record<string, RegExp> = {
  pgbouncer: /^true$/,
  prepare: /^false$/,
  prepared_statements: /^false$/,
  prepareThreshold: /^0$/,
  statement_cache_size: /^0$/,
  prepared_statement_cache_size: /^0$/,
};

/**
 * Reads the parameters of a database URL as libpq, Prisma, JDBC and other libraries do.
 * @throws ConfigError for a demand that cannot be met
 */
export function readParameters({ searchParams }: URL): UrlParameters {
  const rest = new Map(searchParams);
  const take = (name: string) => {
    const value = rest.get(name) ?? '';
    rest.delete(name);
    return value;
  };
  for (const name of demands.filter((name) => rest.has(name))) throw new ConfigError(cannot(name));
  if (rest.get('gssencmode') === 'require') throw new ConfigError(cannot('gssencmode'));
  for (const name of left) rest.delete(name);
  const answers = Object.entries(unprepared).map(([name, off]) => off.test(take(name)));
  const seconds = Number(take('connect_timeout'));
  const limit = Number(take('connection_limit'));
  const schema = take('schema') || take('currentSchema');
  return {
    prepares: !answers.includes(true),
    connectSeconds: seconds > 0 ? Math.min(seconds, 60) : 5,
    isTlsDirect: take('sslnegotiation') === 'direct',
    connectionLimit: limit > 0 ? Math.floor(limit) : null,
    settings: {
      // `public` is the default of Prisma, and is in PostgreSQL's own default.
      ...(schema && schema !== 'public' && { search_path: `"${schema.replaceAll('"', '""')}"` }),
      ...Object.fromEntries(rest),
    },
  };
}

const cannot = (name: string) =>
  `${name} in DATABASE_URL asks for what this server cannot do: leave it out, and use sslmode=verify-full.`;
