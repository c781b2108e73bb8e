import { lookup } from 'node:dns/promises';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { lookupBy, publicOnly, type Resolve } from './publicLookup.js';

/** Connections to hooks, which are kept open for the next request. Public and private ones are never shared. */
export interface HookAgents {
  publicHttps: HttpsAgent;
  privateHttps: HttpsAgent;
  privateHttp: HttpAgent;
}

/** Idle connections to a host. As many requests to it are made concurrently. */
const idleAtMost = 5;
/** Time that an idle connection stays open. Most receivers close theirs after 5 s or later. */
const idleMs = 2_000;
/** Time for each address of a host, if it has more than one. Node's own 250 ms are too short for another continent. */
const attemptMs = 3_000;

/**
 * Opens connections to hooks.
 * @param options.resolvePublic default: DNS
 * @param options.resolvePrivate default: as the system looks up names, `/etc/hosts` included
 * @param options.ca certificates to trust; default: those of Node
 */
export function createHookAgents({
  resolvePublic,
  resolvePrivate = (host: string) => lookup(host, { all: true }),
  ca,
}: {
  resolvePublic?: Resolve;
  resolvePrivate?: Resolve;
  ca?: string;
} = {}): HookAgents {
  const options = {
    keepAlive: true,
    maxFreeSockets: idleAtMost,
    timeout: idleMs,
    // Lets `lookup` always give all addresses.
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptMs,
  };
  const publicLookup = { lookup: lookupBy(publicOnly(resolvePublic)) };
  const privateLookup = { lookup: lookupBy(resolvePrivate) };
  return {
    publicHttps: new HttpsAgent({ ...options, ...publicLookup, ca }),
    privateHttps: new HttpsAgent({ ...options, ...privateLookup, ca }),
    privateHttp: new HttpAgent({ ...options, ...privateLookup }),
  };
}
