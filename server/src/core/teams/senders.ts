import { pairRows } from '../../database/pairRows.js';
import { statementsOf } from '../../database/pools.js';
import { createGroupCommit, type QueueBounds } from '../../database/queue.js';
import type { Exchange, KeySender, Sender } from '../../http/exchange.js';
import type { LimitRate } from '../../http/rateLimit.js';
import { readBearer } from '../../http/readBearer.js';
import { createBoundedMap, rememberResults } from '../../values/boundedMap.js';
import { ApiError } from '../../values/errors.js';
import type { Uuid } from '../../values/ids.js';
import { hostOfUrl } from './domains.js';
import { hashKey, isWellFormedKey } from './keys.js';

/** Identifies senders. Both functions also put the sender into the exchange. */
export interface IdentifySender {
  /**
   * Identifies the owner of an API key or, without a key, the page.
   * @throws ApiError `invalid_api_key`, `origin_required`, `domain_not_allowed` (no valid host), `rate_limited`
   */
  identifySender(exchange: Exchange): Promise<Sender>;
  /**
   * Identifies the owner of an API key.
   * @throws ApiError `missing_api_key`, `invalid_api_key`, `rate_limited`
   */
  requireKey(exchange: Exchange): Promise<KeySender>;
}

/**
 * Creates the functions that identify the senders of all endpoints. A key never changes its team, so the team is cached, which
 * saves a statement per request. A key can be revoked at any time, so each endpoint's own statement checks that it is still live.
 * Senders that anybody can make up, which are pages and unknown keys, count towards the rate limit of their address.
 */
export function createIdentifySender(
  { knownTeamOf, teamOf }: Pick<SenderCache, 'knownTeamOf' | 'teamOf'>,
  limitRate: LimitRate,
): IdentifySender {
  async function identifyKey(exchange: Exchange, keyHash: string): Promise<KeySender> {
    let teamId = knownTeamOf(keyHash) ?? null;
    if (teamId === null) {
      limitRate(exchange, 'keys'); // 429
      teamId = await teamOf(keyHash);
    }
    if (teamId === null) throw new ApiError('invalid_api_key');
    const sender: KeySender = { keyHash, teamId, host: null };
    exchange.sender = sender;
    return sender;
  }

  return {
    async identifySender(exchange) {
      const { authorization, origin, referer } = exchange.incoming.headers;
      const keyHash = readKeyHash(authorization); // 401
      if (keyHash !== null) return identifyKey(exchange, keyHash);
      limitRate(exchange, 'orders'); // 429
      const sender: Sender = { keyHash: null, teamId: null, host: checkOrigin(origin, referer) }; // 403
      exchange.sender = sender;
      return sender;
    },
    async requireKey(exchange) {
      const keyHash = readKeyHash(exchange.incoming.headers.authorization); // 401
      if (keyHash === null) throw new ApiError('missing_api_key');
      return identifyKey(exchange, keyHash);
    },
  };
}

/**
 * Headers whose hash is cached. A backend sends the same header each time; checksum and hash were visible in the profile of a
 * report.
 */
const headersCached = 1_000;
const hashes = createBoundedMap<string>(headersCached);

const bearerMissing =
  'The Authorization header must be "Bearer", a space and the API key: "Authorization: Bearer ob_live_…".';

/**
 * Reads the SHA-256 of the API key in an `Authorization` header; null without the header. A header without a well-formed key is
 * refused, because a caller who meant to send a key must never count as a page.
 * @throws ApiError `invalid_api_key`
 */
function readKeyHash(authorization: string | undefined): string | null {
  if (authorization === undefined) return null;
  const known = hashes.get(authorization);
  if (known !== undefined) return known;
  const key = readBearer(authorization);
  if (key === undefined) throw new ApiError('invalid_api_key', { message: bearerMissing });
  if (!isWellFormedKey(key)) throw new ApiError('invalid_api_key');
  const keyHash = hashKey(key);
  hashes.set(authorization, keyHash);
  return keyHash;
}

/** Pages whose host is cached; some 300 bytes each. Parsing the URL of each report took 2 % of an order's CPU time. */
const pagesCached = 1_000;
const hostOf = rememberResults(pagesCached, hostOfUrl);

/**
 * Returns the normalised host of the page that a request claims to come from. It is the host of `Origin`, or that of `Referer` if
 * `Origin` is missing or `null`.
 * @returns null if there is no host
 */
export function claimedHost(origin: string | undefined, referer: string | undefined): string | null {
  const page = origin && origin !== 'null' ? origin : referer;
  return page ? hostOf(page) : null;
}

/**
 * Returns the host of a browser's report, see `claimedHost`. An allowed `Referer` does not override a foreign `Origin`. The team's
 * domains decide later whether the host is allowed.
 * @throws ApiError `origin_required` if both headers are missing; `domain_not_allowed` if they have no host
 */
function checkOrigin(origin: string | undefined, referer: string | undefined): string {
  if (!origin && !referer) throw new ApiError('origin_required');
  const host = claimedHost(origin, referer);
  if (host === null) throw new ApiError('domain_not_allowed');
  return host;
}

/**
 * Cache of the teams and keys that exist. It asks the database for those that it does not have. Every look-up may throw
 * `unavailable`.
 */
export interface SenderCache {
  /** @returns true if this server has seen that the team exists. If false, it may exist nevertheless. */
  isKnownTeam(teamId: Uuid): boolean;
  /** Asks the database whether the team exists. */
  isTeam(teamId: Uuid): Promise<boolean>;
  /**
   * Refuses a page that names a team which does not exist.
   * @returns undefined for a team that this server has seen, so that nothing waits
   * @throws ApiError `domain_not_allowed`
   */
  requireTeam(teamId: Uuid): Promise<void> | undefined;
  /** Returns the team of a key that this server has seen live; undefined for any other key. The key may have been revoked since. */
  knownTeamOf(keyHash: string): Uuid | undefined;
  /** Asks the database for the team of a key; null if the key is unknown or revoked. */
  teamOf(keyHash: string): Promise<Uuid | null>;
  /** Drops a key that a statement found revoked. */
  forgetKey(keyHash: string): void;
}

/** Look-ups in the database. Each returns one row per key or id, with its team; null if it is unknown. */
export interface SenderLookUps {
  findKeys(hashes: string[]): Promise<{ id: string; teamId: Uuid | null }[]>;
  findTeams(ids: Uuid[]): Promise<{ id: Uuid; teamId: Uuid | null }[]>;
}

/** Most cached teams, and most cached keys; some 150 bytes each. Beyond it the oldest is dropped. */
const sendersCached = 50_000;

/**
 * Creates the cache of the teams and keys that exist. Anybody can make up a team id, or a key with a right checksum. Unknown ones
 * are looked up through one queue, up to 256 of a kind in one statement. Beyond the queue's limits the answer is 503. So a flood of
 * made-up ones costs a few statements. It does not delay teams that exist, because those are cached after one look-up. Known keys
 * that are checked again are a separate group of the queue.
 */
export function createSenderCache({ findKeys, findTeams }: SenderLookUps, bounds: QueueBounds): SenderCache {
  const teams = createBoundedMap<true>(sendersCached);
  const teamOfKey = createBoundedMap<Uuid>(sendersCached);
  const find = { team: findTeams, key: findKeys, 'known key': findKeys };
  const queue = createGroupCommit<string, Uuid | null>(
    async (kind, ids) => {
      const rows = await find[kind as keyof typeof find]([...new Set(ids)]);
      return pairRows(ids, rows, ({ id }) => id).map(({ teamId }) => teamId);
    },
    { ...bounds, statementsInFlight: statementsOf.senders },
  );

  const isKnownTeam = (teamId: Uuid) => teams.get(teamId) !== undefined;
  async function isTeam(teamId: Uuid): Promise<boolean> {
    const isThere = (await queue.submit('team', teamId)) !== null;
    if (isThere) teams.set(teamId, true);
    return isThere;
  }

  return {
    isKnownTeam,
    isTeam,
    requireTeam(teamId) {
      if (isKnownTeam(teamId)) return undefined;
      return isTeam(teamId).then((isThere) => {
        if (!isThere) throw new ApiError('domain_not_allowed');
      });
    },
    knownTeamOf: (keyHash) => teamOfKey.get(keyHash),
    async teamOf(keyHash) {
      const teamId = await queue.submit(teamOfKey.get(keyHash) ? 'known key' : 'key', keyHash);
      if (teamId === null) teamOfKey.delete(keyHash);
      else teamOfKey.set(keyHash, teamId);
      return teamId;
    },
    forgetKey: (keyHash) => teamOfKey.delete(keyHash),
  };
}
