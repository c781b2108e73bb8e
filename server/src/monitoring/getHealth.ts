import { setTimeout as delay } from 'node:timers/promises';
import type { Handler } from 'hono';
import { isFull, isLocked, isReadOnly, isRightMissing } from '../database/failures.js';
import { installationId } from '../database/installation.js';
import type { Pools } from '../database/pools.js';
import { readSchemaState } from '../database/schemaState.js';
import type { TryStoring } from '../database/tryStoring.js';
import type { AppEnv } from '../http/hono.js';
import { countProxies, type TrustedProxies, trustOf } from '../http/trustedProxies.js';
import { command } from '../values/command.js';
import { ApiError } from '../values/errors.js';
import { late } from '../values/withTimeout.js';
import { shareQuery } from './shareQuery.js';

/** Load balancers wait at least 2 s for the answer (HAProxy's default between two checks). */
const readyWithinMs = 1_500;
/**
 * Least time from the start of one check of the database to the start of the next. A request that comes too early waits, and shares
 * the next one with all that wait. So a flood of requests costs the database little.
 */
const pauseMs = 100;

/** `GET /healthz`: answers with the release as long as the process runs. It does not ask the database. */
export function getHealth(version: string): Handler<AppEnv> {
  return (c) => c.json({ success: true, data: { status: 'ok', version } });
}

/**
 * `GET /readyz`: answers 200 if an order can be stored and the server is not about to stop, otherwise 503. An order can be stored
 * if the database answers, its migrations are applied, and the connections for new orders may write. Answers within 2 s, even if
 * the database does not. Concurrent requests share one check, and checks are at least 100 ms apart.
 * @param pools.orders pools of one connection each; a busy one is ignored if another one answers
 */
export function getReadiness(
  { orders, watch }: Pick<Pools, 'orders' | 'watch'>,
  tryStoring: TryStoring,
  isStopping: () => boolean,
): Handler<AppEnv> {
  const readState = shareQuery(() => readSchemaState(watch), readyWithinMs);
  const lanes = orders.map((sql) => shareQuery(async () => tryStoring(sql), readyWithinMs));
  let looksNextMs = 0;
  const look = shareQuery(async () => {
    await delay(Math.max(0, looksNextMs - performance.now()));
    looksNextMs = performance.now() + pauseMs;
    return Promise.all([readState(), ...lanes.map((lane) => lane())]);
  }, 2 * readyWithinMs);

  return async function getReadiness(c) {
    if (isStopping()) throw new ApiError('unavailable', { message: 'The server is stopping.' });
    const seen = await look().catch((cause) => {
      throw new ApiError('unavailable', { message: describeFailure(cause), cause });
    });
    const [verdict, ...stored] = seen === late ? ([late] as const) : seen;
    if (verdict === late || stored.every((outcome) => outcome === late)) {
      throw new ApiError('unavailable', {
        message: `The database has not answered for ${readyWithinMs} ms.`,
      });
    }
    const { missing, breaking } = verdict;
    if (missing.length > 0) {
      throw new ApiError('unavailable', {
        message: `The database lacks migrations; run: ${command} migrate`,
      });
    }
    if (breaking.length > 0) {
      throw new ApiError('unavailable', {
        message: 'The database was migrated for a newer release; run that one',
      });
    }
    return c.json({ success: true, data: { status: 'ready' } });
  };
}

/** Describes why no order can be stored. The text contains nothing of the database's message, because anybody may ask. */
function describeFailure(error: unknown): string {
  if (isReadOnly(error)) return 'The database takes no writes.';
  if (isRightMissing(error)) return 'The role of DATABASE_URL may not write into a table that orders need.';
  if (isFull(error)) return 'The database has no connection, disk space or memory left for orders.';
  if (isLocked(error)) return 'A table that orders need is locked.';
  return 'The database cannot be reached.';
}

/**
 * `GET /healthz/proxies`: answers with the number of addresses in the `X-Forwarded-For` of this request, and with the number that
 * `ORDERBEACON_TRUST_PROXY` trusts. `orderbeacon doctor` compares the two. It compares the installation's id, too, to find out if
 * the server uses the same database.
 */
export function getProxies(trustedProxies: TrustedProxies, secret: string): Handler<AppEnv> {
  const trusted = trustOf(trustedProxies);
  return (c) => {
    const address = c.env.incoming.socket.remoteAddress ?? '';
    const proxies = countProxies(address, c.req.header('x-forwarded-for'), trusted);
    return c.json({ success: true, data: { ...proxies, installation: installationId(secret) } });
  };
}
