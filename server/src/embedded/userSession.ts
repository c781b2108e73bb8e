import { join } from 'node:path';
import postgres from '#postgres';
import { superuser } from './initCluster.js';

/** Key of the advisory lock that every user of an embedded PostgreSQL shares. */
const usersLock = 7_308_332;

/** The session that makes this process a user of PostgreSQL. PostgreSQL is not stopped while it has one. */
export interface UserSession {
  /** Resolves when PostgreSQL has ended or has lost the session. */
  ended: Promise<void>;
  /** Ends the use. Resolves with true if this was the last user; then no other process becomes a user until this session ends. */
  leave(): Promise<boolean>;
  end(): Promise<void>;
}

/**
 * Opens a session that makes this process a user of the PostgreSQL whose socket is in the folder. PostgreSQL is not stopped while
 * it has a user.
 *
 * `absent`: no process listens there. `busy`: PostgreSQL is starting, stopping or restarting. Rejects with the driver's error if
 * PostgreSQL refuses for another reason.
 */
export async function openUserSession(socketFolder: string): Promise<UserSession | 'absent' | 'busy'> {
  let onEnd = () => {};
  const ended = new Promise<void>((resolve) => {
    onEnd = resolve;
  });
  const sql = postgres({
    path: join(socketFolder, '.s.PGSQL.5432'),
    user: superuser,
    database: 'postgres',
    max: 1,
    fetch_types: false,
    connect_timeout: 5,
    // The lock belongs to the connection, so it lives as long as the use.
    max_lifetime: null,
    idle_timeout: 0,
    connection: { application_name: 'orderbeacon user' },
    onclose: () => onEnd(),
  });
  const end = () => sql.end({ timeout: 0 });
  try {
    // Waits while the last user, who holds the lock exclusively, stops PostgreSQL.
    await sql`/* joinUsers */ select pg_advisory_lock_shared(${usersLock})`;
  } catch (error) {
    await end();
    return outcomeOf(error);
  }
  return {
    ended,
    async leave() {
      await sql`/* leaveUsers */ select pg_advisory_unlock_shared(${usersLock})`;
      const [row] = await sql<[{ isLast: boolean }]>`/* lockOutUsers */
        select pg_try_advisory_lock(${usersLock}) as "isLast"`;
      return row.isLast;
    },
    end,
  };
}

/** Matches codes of a connection that no process accepted. */
const absentCode = /^(ECONNREFUSED|ENOENT)$/;
/** Matches codes of a lost connection, and SQLSTATEs of a PostgreSQL that starts, stops or restarts. */
const busyCode = /^(CONNECTION_\w+|CONNECT_TIMEOUT|ECONNRESET|EPIPE|57P0.)$/;

function outcomeOf(error: unknown): 'absent' | 'busy' {
  const code = String((error as NodeJS.ErrnoException).code);
  if (absentCode.test(code)) return 'absent';
  if (busyCode.test(code)) return 'busy';
  throw error;
}
