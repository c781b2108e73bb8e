import type { Handler } from 'hono';
import type { Sql } from '../database/connection/connect.js';
import { readSchemaState } from '../database/schemaState.js';
import type { AppEnv } from '../http/context.js';
import { ApiError } from '../values/errors.js';
import { late } from '../values/withTimeout.js';
import { shareQuery } from './shareQuery.js';

/** Load balancers wait at least 2 s for the answer (HAProxy's default between two checks). */
const readyWithinMs = 1_500;

/** `GET /healthz`: answers with the release as long as the process runs. It does not ask the database. */
export function getHealth(version: string): Handler<AppEnv> {
  return (c) => c.json({ success: true, data: { status: 'ok', version } });
}

/**
 * `GET /readyz`: answers 200 when the database answers, its migrations are applied and the server is not about to stop,
 * else 503. Answers within 2 s whatever the database does; concurrent requests share one query.
 */
export function getReadiness(sql: Sql, isStopping: () => boolean): Handler<AppEnv> {
  const readState = shareQuery(() => readSchemaState(sql), readyWithinMs);

  return async function getReadiness(c) {
    if (isStopping()) throw new ApiError('unavailable', { message: 'The server is stopping.' });
    const verdict = await readState();
    if (verdict === late) {
      throw new ApiError('unavailable', {
        message: `The database has not answered for ${readyWithinMs} ms.`,
      });
    }
    const { missing, breaking } = verdict;
    if (missing.length > 0) {
      throw new ApiError('unavailable', {
        message: 'The database lacks migrations; run: orderbeacon migrate',
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

/**
 * `GET /healthz/proxies`: answers with the number of addresses in the `X-Forwarded-For` of this request, and with the
 * number that `ORDERBEACON_TRUST_PROXY` believes. `orderbeacon doctor` compares the two.
 */
export function getProxies(trusted: number): Handler<AppEnv> {
  return (c) => {
    const addresses = (c.req.header('x-forwarded-for') ?? '').split(',').filter((address) => address.trim());
    return c.json({ success: true, data: { seen: addresses.length, trusted } });
  };
}
