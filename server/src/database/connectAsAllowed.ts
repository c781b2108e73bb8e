import { parseDatabaseUrl } from '../values/databaseUrl.js';
import { DatabaseError } from '../values/errors.js';
import { connect, type Sql, unbounded } from './connection/connect.js';
import { passedSettings, trackedSettings } from './connection/sessionSettings.js';
import { readParameters } from './connection/urlParameters.js';
import { inTransaction } from './inTransaction.js';

/** The URL and the settings with which to connect to a database. */
export interface Way {
  /** The database's URL, without the parameters that it does not accept. */
  url: string;
  /** False behind a pooler that accepts only the settings that it keeps for each client. */
  takesSettings: boolean;
}

/** A way to connect, and what the operator has to know about it. */
interface Tried extends Way {
  ignored: string[];
  isMadeDurable: boolean;
  isUnprepared: boolean;
}

/** An idle connection is closed after this time, because a PostgreSQL that is stopping would wait for it. */
const idleSeconds = 10;

const undurable =
  'With synchronous_commit = off, as the database has it, a crash loses orders that were acknowledged';

/**
 * Connects to a database, without the parameters of its URL that neither PostgreSQL nor a pooler accepts. Such parameters are those
 * of other libraries, and the connection's own settings if a pooler accepts none. Does not prepare statements behind a pooler that
 * gives each transaction another connection. Rejects with the connection's error.
 * @param options.notify called with a line for the operator about each ignored parameter or changed setting
 * @throws DatabaseError behind a pooler, if a setting has a value with which statements fail
 */
export async function connectAsAllowed(
  databaseUrl: string,
  { poolSize, notify }: { poolSize: number; notify: (line: string) => void },
): Promise<Way & { sql: Sql; version: number }> {
  let way: Tried = {
    url: databaseUrl,
    takesSettings: true,
    ignored: [],
    isMadeDurable: false,
    isUnprepared: false,
  };
  for (;;) {
    const sql = connect(way.url, poolSize, { ...unbounded, arePassed: way.takesSettings }, { idleSeconds });
    const seen = await readServer(sql).catch((error: Error) => error);
    const next =
      seen instanceof Error
        ? withoutRefused(way, seen)
        : (madeDurable(way, seen.isDurable) ?? (seen.isPooled ? await unprepared(way) : null));
    if (next === null && !(seen instanceof Error)) {
      const { ignored, isMadeDurable, isUnprepared, ...rest } = way;
      if (ignored.length > 0)
        notify(
          `DATABASE_URL has parameters that the database does not take; they are ignored: ${ignored.join(', ')}.`,
        );
      if (isUnprepared) notify(sharedPooler);
      if (isMadeDurable) notify(`${undurable}: each connection of Orderbeacon sets it to on.`);
      else if (!seen.isDurable) notify(`${undurable}: alter database … set synchronous_commit = on.`);
      return { ...rest, sql, version: seen.version };
    }
    await sql.end({ timeout: 0 });
    if (next === null) throw seen;
    way = next;
  }
}

const sharedPooler =
  'The pooler in front of the database gives each transaction another connection, so statements are not prepared, which costs speed. A connection to PostgreSQL itself, or pool_mode = session, is quicker.';

/** Settings without which statements fail or return wrong values, whatever is between this process and PostgreSQL. */
const { default_transaction_isolation } = passedSettings;
const required = JSON.stringify({ ...trackedSettings, default_transaction_isolation });

interface Server {
  version: number;
  isDurable: boolean;
  /** Set if a pooler or proxy answers for PostgreSQL: the process id in the greeting is not the one that runs statements. */
  isPooled: boolean;
  /** A required setting that has another value, with that value. */
  wrong: { key: string; value: string; is: string } | null;
}

async function readServer(sql: Sql): Promise<Server> {
  const rows = await sql<[Omit<Server, 'isPooled'> & { pid: number }]>`/* readServer */
    select pg_backend_pid() as pid, current_setting('server_version_num')::int / 10000 as version,
      current_setting('synchronous_commit') <> 'off' as "isDurable", (
        select json_build_object('key', key, 'value', value, 'is', current_setting(key))
        from json_each_text(${required}::text::json) where current_setting(key) <> value limit 1
      ) as wrong`;
  const { pid, ...server } = rows[0];
  if (server.wrong === null) return { ...server, isPooled: rows.state.pid !== pid };
  const { key, value, is } = server.wrong;
  throw new DatabaseError(
    `The database has ${key} = ${is}, and the pooler in front of it keeps connections from setting another.`,
    { fix: `Set it for the database: alter database … set ${key} = '${value}'.` },
  );
}

/** Parameters that decide in which schema the tables are. Without them a server would begin with an empty database. */
const decisive = ['options', 'search_path'];

/**
 * Returns the way to connect without what the database has refused: parameters of the URL, or else the connection's own settings.
 * @returns null if the error has another reason
 */
function withoutRefused(way: Tried, { code, message }: NodeJS.ErrnoException): Tried | null {
  // SQLSTATE undefined_object, or PgBouncer's text about it.
  if (code !== '42704' && !message.includes('startup parameter')) return null;
  const words = message.split(/[^\w.]+/);
  const [start, query = ''] = way.url.split('?');
  const parameters = new URLSearchParams(query);
  const refused = [...parameters.keys()].filter((name) => words.includes(name) && !decisive.includes(name));
  if (refused.length === 0) return way.takesSettings ? { ...way, takesSettings: false } : null;
  for (const name of refused) parameters.delete(name);
  return { ...way, url: `${start}?${parameters}`, ignored: [...way.ignored, ...refused] };
}

/**
 * Returns the way to connect with the setting by which each commit waits for the disk.
 * @returns null if commits wait already, or if the setting cannot be changed
 */
function madeDurable(way: Tried, isDurable: boolean): Tried | null {
  if (isDurable || way.isMadeDurable || !way.takesSettings) return null;
  const [start, query = ''] = way.url.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set('synchronous_commit', 'on');
  return { ...way, url: `${start}?${parameters}`, isMadeDurable: true };
}

/** Attempts to recognize a pooler, because other clients may take the connections by which it is recognized. */
const rounds = 3;
const roundBounds = { ...unbounded, answerMs: 5_000 };

/**
 * Returns the way to connect without prepared statements.
 * @returns null if connections keep their prepared statements, or if the URL turns them off already
 */
async function unprepared(way: Tried): Promise<Tried | null> {
  const { url } = parseDatabaseUrl(way.url);
  if (!readParameters(url).prepares) return null;
  // A pooler that does not allow two connections to PostgreSQL is treated as a shared one.
  if (!(await isShared(way).catch(() => true))) return null;
  return { ...way, url: `${way.url}${way.url.includes('?') ? '&' : '?'}prepare=false`, isUnprepared: true };
}

/** @returns true if two connections to a pooler use the same connection of PostgreSQL in turn, or one uses several */
async function isShared({ url, takesSettings }: Way): Promise<boolean> {
  const open = () => connect(url, 1, { ...roundBounds, arePassed: takesSettings });
  const [one, other] = [open(), open()];
  const pidOf = async (sql: Sql) =>
    (await sql<[{ pid: number }]>`/* findPid */ select pg_backend_pid() as pid`.simple())[0].pid;
  try {
    for (let round = 0; round < rounds; round++) {
      const before = await pidOf(one);
      // The transaction holds a connection of PostgreSQL while it runs: that of `one`, unless `one` keeps it.
      const held = await inTransaction(other, async (tx) => {
        const pid = await pidOf(tx);
        return pid === before || (await pidOf(one)) !== before;
      });
      if (held) return true;
    }
    return false;
  } finally {
    await Promise.all([one, other].map((sql) => sql.end({ timeout: 0 })));
  }
}
