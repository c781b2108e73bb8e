import type { DatabaseHost } from '../../values/databaseUrl.js';

/** Which of several hosts the next connection goes to. */
export interface HostChoice {
  needsPrimary: boolean;
  next(): DatabaseHost;
  /** Told that a host took a connection and may be asked again first. */
  found(host: DatabaseHost): void;
  /** Told that a host did not answer, or takes no writes. True when it is worth while to try `next()` at once. */
  passOver(host: DatabaseHost): boolean;
}

/** After all hosts were tried to no avail, each attempt fails for as long: none may try round and round. */
const pauseMs = 500;

/** Remembers across connections which host is the primary: the one that was found last, until it is passed over. */
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
