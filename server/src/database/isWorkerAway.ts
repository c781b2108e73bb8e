/**
 * Messages of Citus about a worker that it cannot reach or that it lost. Their SQLSTATE is that of an internal error or of
 * a connection failure.
 */
const messages =
  /failure on connection marked as essential|connection to the remote node|could not establish any connections to the node|could not commit transaction for shard/;

/** Meaning of such a message to whoever runs a command. Most of these messages name the worker. */
export const workerAway = 'The coordinator does not reach a worker of the Citus cluster: ';

/** True when the coordinator of a Citus cluster answered that it cannot reach a worker, or lost it. */
export function isWorkerAway(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return (code === 'XX000' || code === '08006') && messages.test(String(message));
}
