import type { Clock } from '../../database/clock.js';
import type { InTurn } from '../../database/turns.js';
import { type Handle, success } from '../../http/exchange.js';
import type { LimitRate } from '../../http/rateLimit.js';
import { readJson } from '../../http/readBody.js';
import { ApiError } from '../../values/errors.js';
import { encodeId } from '../../values/ids.js';
import { parseAccess } from '../sources/setup/parseAccess.js';
import { listSources } from '../sources/sql/source.js';
import { isRightRequest, readApiKeyRequest } from './apiKeyRequest.js';
import { storeFirstApiKey } from './sql/shopAccess.js';

/** Dependencies of the endpoint for approved API keys. */
export interface PostApiKeyDeps {
  clock: Clock;
  limitRate: LimitRate;
  inTurn: InTurn;
  secret: string;
}

/**
 * `POST /svc-api/v1/woocommerce/key`, which WooCommerce sends with the API key that its owner approved. Its `user_id`
 * is the signed request, which names the source. WooCommerce deletes the API key unless the answer is 200.
 */
export function postApiKey({ clock, limitRate, inTurn, secret }: PostApiKeyDeps): Handle {
  return async function postApiKey(exchange) {
    limitRate(exchange, 'keys'); // 429
    const { value } = await readJson(exchange.incoming, ['application/json']); // 400, 413, 415
    const sent = Object(value) as Record<string, unknown>;
    const request = typeof sent.user_id === 'string' ? readApiKeyRequest(sent.user_id) : null;
    if (request === null) throw refuse();
    const { teamId } = request;
    await inTurn(teamId, async (sql) => {
      const source = (await listSources(sql, teamId)).find(({ id }) => id === request.id);
      if (!source?.shopUrl || !isRightRequest(request, source, { secret, nowMs: clock.nowMs() }))
        throw refuse(); // 401
      exchange.facts.team = encodeId('team', teamId);
      const apiKey = `${sent.consumer_key}:${sent.consumer_secret}`;
      const parsed = parseAccess(source, { shopUrl: source.shopUrl, apiKey, allowsPrivate: false });
      if ('hint' in parsed) throw new ApiError('invalid_request', { message: `Not stored: ${parsed.hint}.` });
      if (!(await storeFirstApiKey(sql, source, parsed.access.apiKey!))) throw refuse();
    }); // 503
    return { status: 200, body: success({}) };
  };
}

function refuse(): ApiError {
  const message = 'Nobody asked for this key, or an hour ago, or the source has one. Begin again from Setup.';
  return new ApiError('invalid_signature', { status: 401, message });
}
