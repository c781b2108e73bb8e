/** Hosts whose pages have loaded the script from this server since its start. */
export interface SeenHosts {
  note(host: string | null): void;
  list(): Iterable<string>;
}

/** Most hosts that are kept; beyond it the oldest is dropped. A page loads the script again after an hour. */
const remembered = 1_000;

/** Creates the store of hosts whose pages have the tag, even before they report anything. */
export function createSeenHosts(): SeenHosts {
  const hosts = new Set<string>();
  return {
    note(host) {
      if (host === null || hosts.has(host)) return;
      hosts.add(host);
      if (hosts.size > remembered) hosts.delete(hosts.values().next().value!);
    },
    list: () => hosts,
  };
}
