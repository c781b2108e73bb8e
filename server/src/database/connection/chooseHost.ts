import type { DatabaseHost } from '../../values/databaseUrl.js';

/** Choice of a host for the next connection. */
export interface HostChoice {
  needsPrimary: boolean;
  next(): DatabaseHost;
  /** Records that a host took a connection: it is tried first from now on. */
  found(host: DatabaseHost): void;
  /** Records that a host did not answer, or takes no writes. True when `next()` is to be tried immediately. */
  passOver(host: DatabaseHost): boolean;
}

/** Once all hosts have failed, each attempt fails after its first host for so long: none goes round and round. */
const pauseMs = 500;

/**
 * Remembers the primary across connections: the host that was found last, until it is passed over. postgres.js 3.4.9
 * has a choice of its own, `target_session_attrs`, but takes a standby for `read-write`, and while no host answers it
 * tries without end (seen: 200 to 400 connections a second) and no query fails.
 */
export function createHostChoice(hosts: DatabaseHost[], needsPrimary: boolean): HostChoice {
  const passed = new Set<DatabaseHost>();
  let preferred = hosts[0]!;
  let allFailedMs = Number.NEGATIVE_INFINITY;
  return {
    needsPrimary,
    next: () => (passed.has(preferred) ? hosts.find((host) => !passed.has(host))! : preferred),
    found(host) {
      preferred = host;
      passed.clear();
    },
    passOver(host) {
      passed.add(host);
      if (passed.size < hosts.length) return performance.now() - allFailedMs > pauseMs;
      passed.clear();
      allFailedMs = performance.now();
      return false;
    },
  };
}
