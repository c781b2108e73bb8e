/** Matches error codes of postgres.js and Node for a connection that was lost or could not be opened. */
const connectionCode = /^(CONNECTION_|CONNECT_TIMEOUT$|ERR_(SOCKET|STREAM|SSL|TLS)_|E[A-Z]+$)/;

/**
 * Matches SQLSTATEs of a server that is stopping, starting, full or read-only (PostgreSQL manual, appendix A). Class 08 is
 * connection exception, 25006 read-only, class 53 insufficient resources, class 57 operator intervention; 57014 does not match.
 */
const awayState = /^(08...|25006|53...|57P..)$/;

/** Matches any SQLSTATE. No code of postgres.js or Node has this form, except some of `connectionCode`. */
const anyState = /^[0-9A-Z]{5}$/;

/**
 * Matches messages of Citus about a worker that it cannot reach or has lost. Their SQLSTATE is that of an internal error or of a
 * connection failure.
 */
const workerMessages =
  /failure on connection marked as essential|connection to the remote node|could not establish any connections to the node|could not commit transaction for shard/;

/** The explanation of a message in `workerMessages` for the person who runs a command. Most of these messages name the worker. */
export const workerAway = 'The coordinator does not reach a worker of the Citus cluster: ';

/** @returns true if the database could not be reached, was lost, or accepts no work now, so that a later attempt may succeed */
export function isDatabaseAway(error: unknown): boolean {
  const code = codeOf(error);
  return connectionCode.test(code) || awayState.test(code);
}

/**
 * @returns true if the database failed for another reason than the values of the statement: the caller gets 503 and tries again.
 *   Time resolves a lock, a full disk or a lost plan, and an operator a right, a table or a trigger. Wrong values stay wrong.
 */
export function isUnavailable(error: unknown): boolean {
  if (isDatabaseAway(error) || isRetryableConflict(error)) return true;
  return anyState.test(codeOf(error)) && !isDataError(error);
}

/** @returns true if the coordinator of a Citus cluster cannot reach a worker, or has lost it */
export function isWorkerAway(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return (code === 'XX000' || code === '08006') && workerMessages.test(String(message));
}

/** @returns true if the database does not support the form of a statement (SQLSTATE feature_not_supported) */
export function isUnsupported(error: unknown): boolean {
  return codeOf(error) === '0A000';
}

/** @returns true if the role may not do what a statement asks for (SQLSTATE insufficient_privilege) */
export function isRightMissing(error: unknown): boolean {
  return codeOf(error) === '42501';
}

/** @returns true if the database accepts no writes, such as a standby (SQLSTATE read_only_sql_transaction) */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === '25006';
}

/** @returns true if the database has no connection, disk space or memory left (class 53 insufficient resources) */
export function isFull(error: unknown): boolean {
  return /^53...$/.test(codeOf(error));
}

/** @returns true if PostgreSQL ended a statement, by a time limit or on request (SQLSTATE query_canceled) */
export function isCanceled(error: unknown): boolean {
  return codeOf(error) === '57014';
}

/** @returns true if a statement failed because of its values: data exceptions (class 22) and violated constraints (class 23) */
export function isDataError(error: unknown): boolean {
  return /^2[23]...$/.test(codeOf(error));
}

/**
 * @returns true if a lock was not available, or there was a deadlock (SQLSTATEs lock_not_available and deadlock_detected), so that
 *   a later attempt may succeed
 */
export function isLocked(error: unknown): boolean {
  return codeOf(error) === '55P03' || codeOf(error) === '40P01';
}

/** @returns true if a row refers to a missing one (SQLSTATE foreign_key_violation), such as a team that was removed */
export function isParentMissing(error: unknown): boolean {
  return codeOf(error) === '23503';
}

/**
 * @returns true if concurrent transactions conflicted, so that the same statement may succeed immediately. Every statement of the
 *   server looks for a row before it stores one that must be unique, so 23505 means that the row was stored concurrently.
 */
export function isRetryableConflict(error: unknown): boolean {
  const code = codeOf(error);
  return code === '40P01' || code === '40001' || code === '23503' || code === '23505';
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
