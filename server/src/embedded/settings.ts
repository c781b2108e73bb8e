import { totalmem } from 'node:os';

/**
 * Settings of the embedded PostgreSQL, given on its command line so that a newer Orderbeacon brings its own
 * to an old data folder. What is not listed keeps PostgreSQL's default.
 */
const settings = {
  // An acknowledged order is on the disk.
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  max_connections: '100',
  // A checkpoint every 5 minutes of steady ingest instead of one every gigabyte.
  max_wal_size: '2GB',
  min_wal_size: '256MB',
  // Short statements only: compiling them or spreading them over processes costs more than it gives.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  // Without them three I/O workers and a replication launcher stand by on a small machine.
  io_method: 'sync',
  max_logical_replication_workers: '0',
  TimeZone: 'UTC',
  log_timezone: 'UTC',
  // The log is for starts, stops and crashes: a refused statement is told to the client that sent it, and
  // so are too many clients. That, and a fresh file a start, bounds it.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  cluster_name: 'orderbeacon',
};

const megabyte = 1024 * 1024;

/**
 * PostgreSQL's `shared_buffers` in MB on a machine, or in a container, of so much memory: an eighth of it, at least 128
 * and at most 1,024. Each order is put into indexes at random places; with three million stored these no longer fit into
 * 128 MB, and the rate was 0.94 of an empty table's, with 1 GB 0.99. Memory is only taken for what was read.
 */
export function sharedBuffersMb(memoryBytes: number): number {
  return Math.min(Math.max(Math.floor(memoryBytes / megabyte / 8), 128), 1024);
}

/** The memory of this machine, or what its container allows, where that is less. */
function memoryBytes(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

/** Arguments for `postgres`: those settings, then the ones given. */
export function settingArguments(more: Record<string, string>): string[] {
  const shared_buffers = `${sharedBuffersMb(memoryBytes())}MB`;
  return Object.entries({ ...settings, shared_buffers, ...more }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
}
