import { totalmem } from 'node:os';

/**
 * Settings of the embedded PostgreSQL. They are given on its command line, so that a newer Orderbeacon also applies its settings to
 * an old data folder. All others keep PostgreSQL's default.
 */
const settings = {
  // An acknowledged order is on the disk.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // After a checkpoint each changed page is written to the log once. With compression the log has 2,446 instead of 3,250 bytes an
  // order, and the first orders after a checkpoint are stored at 1.05 of the rate.
  wal_compression: 'pglz',
  max_connections: '100',
  // Causes a checkpoint every 5 minutes of steady ingest instead of one every gigabyte.
  max_wal_size: '2GB',
  min_wal_size: '256MB',
  // All statements are short: compiling them, or running them in several processes, costs more than it saves.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  // The defaults keep three I/O workers and a replication launcher, which a small machine does not need.
  io_method: 'sync',
  max_logical_replication_workers: '0',
  TimeZone: 'UTC',
  log_timezone: 'UTC',
  // The log is for starts, stops and crashes. Refused statements and refused connections are only reported to the client. That, and
  // a new file at each start, limits its size.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  cluster_name: 'orderbeacon',
};

const megabyte = 1024 * 1024;

/**
 * Returns PostgreSQL's `shared_buffers` in MB for the memory of a machine or container: an eighth of it, at least 128 and at most
 * 1,024. Each order is written at random positions of the indexes. Those of three million orders do not fit into 128 MB, and the
 * rate was 0.94 of an empty table's; with 1 GB it was 0.99. PostgreSQL only takes memory that it has used.
 */
export function sharedBuffersMb(memoryBytes: number): number {
  return Math.min(Math.max(Math.floor(memoryBytes / megabyte / 8), 128), 1024);
}

/** Returns the memory of this machine, or the limit of its container if that is less. */
export function memoryBytes(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/** Returns arguments for `postgres`: these settings, then the given ones. */
export function settingArguments(more: Record<string, string>): string[] {
  const shared_buffers = `${sharedBuffersMb(memoryBytes())}MB`;
  return Object.entries({ ...settings, shared_buffers, ...more }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
}
