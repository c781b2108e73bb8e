import type { Handler } from 'hono';
import type { Sql } from '../database/connect.js';
import { readSchemaState } from '../database/schemaState.js';
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
    const { missing, breaking } = await readSchemaState(sql);
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
    return replyData(c, { status: 'ready' });
  };
}
