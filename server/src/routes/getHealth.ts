import type { Handler } from 'hono';
import type { Sql } from '../database/connect.js';
import { isMigrated } from '../database/migrate.js';
import { ApiError } from '../errors.js';
import type { AppEnv } from '../http/context.js';
import { replyData } from '../http/reply.js';

/** `GET /healthz`: the process answers. Says nothing of the database. */
export function getHealth(): Handler<AppEnv> {
  return (c) => replyData(c, { status: 'ok' });
}

/** `GET /readyz`: the database answers, its migrations are applied, and the server is not about to stop. */
export function getReadiness(sql: Sql, isStopping: () => boolean): Handler<AppEnv> {
  return async function getReadiness(c) {
    if (isStopping()) throw new ApiError('unavailable', { message: 'The server is stopping.' });
    if (!(await isMigrated(sql))) {
      throw new ApiError('unavailable', {
        message: 'The database lacks migrations; run: orderbeacon migrate',
      });
    }
    return replyData(c, { status: 'ready' });
  };
}
