/** Error codes of postgres.js and Node for a connection that was lost or could not be opened. */
const connectionCode = /^(CONNECTION_|CONNECT_TIMEOUT$|ERR_(SOCKET|STREAM|SSL|TLS)_|E[A-Z]+$)/;

/**
 * SQLSTATEs (PostgreSQL manual, appendix A) of a server that is stopping, starting, full or read-only: class 08
 * connection exception, 25006 read-only, class 53 insufficient resources, class 57 operator intervention without 57014.
 */
const awayState = /^(08...|25006|53...|57P..)$/;

/** Any SQLSTATE; no code of postgres.js or Node is written so, but for some of `connectionCode`. */
const anyState = /^[0-9A-Z]{5}$/;

/**
 * Messages of Citus about a worker that it cannot reach or that it lost. Their SQLSTATE is that of an internal error or of
 * a connection failure.
 */
const workerMessages =
  /failure on connection marked as essential|connection to the remote node|could not establish any connections to the node|could not commit transaction for shard/;

/** Meaning of such a message to whoever runs a command. Most of these messages name the worker. */
export const workerAway = 'The coordinator does not reach a worker of the Citus cluster: ';

/** True when the database could not be reached, went away, or accepts no work now: trying later may succeed. */
export function isDatabaseAway(error: unknown): boolean {
  const code = codeOf(error);
  return connectionCode.test(code) || awayState.test(code);
}

/**
 * True when the database did not do this for another reason than the values that it got: the caller gets 503 and tries again.
 * Time heals a lock, a full disk or a lost plan, and an operator a right, a table or a trigger; wrong values stay wrong.
 */
export function isUnavailable(error: unknown): boolean {
  if (isDatabaseAway(error) || isRetryableConflict(error)) return true;
  return anyState.test(codeOf(error)) && !isDataError(error);
}

/** True when the coordinator of a Citus cluster answered that it cannot reach a worker, or lost it. */
export function isWorkerAway(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return (code === 'XX000' || code === '08006') && workerMessages.test(String(message));
}

/** True for a form of a statement that the database does not take (SQLSTATE feature_not_supported). */
export function isUnsupported(error: unknown): boolean {
  return codeOf(error) === '0A000';
}

/** True when the role may not do what a statement asks for (SQLSTATE insufficient_privilege). */
export function isRightMissing(error: unknown): boolean {
  return codeOf(error) === '42501';
}

/** True when the database takes no writes, such as a standby (SQLSTATE read_only_sql_transaction). */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === '25006';
}

/** True when the database has no connection, disk space or memory left (class 53 insufficient resources). */
export function isFull(error: unknown): boolean {
  return /^53...$/.test(codeOf(error));
}

/** True when PostgreSQL ended a statement, by a time limit or because somebody asked for it (SQLSTATE query_canceled). */
export function isCanceled(error: unknown): boolean {
  return codeOf(error) === '57014';
}

/** True when a statement failed because of its values: data exceptions (class 22) and broken constraints (23). */
export function isDataError(error: unknown): boolean {
  return /^2[23]...$/.test(codeOf(error));
}

/**
 * True when a lock was not available, or others waited in a circle (SQLSTATEs lock_not_available and deadlock_detected): a
 * later try may succeed.
 */
export function isLocked(error: unknown): boolean {
  return codeOf(error) === '55P03' || codeOf(error) === '40P01';
}

/** True when a row names one that is not there (SQLSTATE foreign_key_violation), such as a team that was removed. */
export function isParentMissing(error: unknown): boolean {
  return codeOf(error) === '23503';
}

/**
 * True when concurrent transactions conflicted and the same statement may succeed immediately. Every statement of the
 * server looks for a row before it stores one that must be unique, so 23505 is a row that was stored meanwhile.
 */
export function isRetryableConflict(error: unknown): boolean {
  const code = codeOf(error);
  return code === '40P01' || code === '40001' || code === '23503' || code === '23505';
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
