import { hostOfUrl, isAllowed } from '../../core/teams/domains.js';
import { findEntries } from '../../core/teams/sql/domain.js';
import type { Clock } from '../../database/clock.js';
import type { InTurn } from '../../database/turns.js';
import { type Handle, success } from '../../http/exchange.js';
import { readBytes } from '../../http/readBody.js';
import { ApiError } from '../../values/errors.js';
import { encodeId } from '../../values/ids.js';
import { parseWebUrl, toBaseUrl } from '../../values/url.js';
import type { IdentifySource } from '../sources/receive/identifySource.js';
import { isSigned } from '../sources/receive/isSigned.js';
import { listSources } from '../sources/sql/source.js';
import { writeApiKeyRequest } from './apiKeyRequest.js';
import { storeShopUrl } from './sql/shopAccess.js';

const bytesAtMost = 4_096;

/** Dependencies of `postHello`. */
export interface PostHelloDeps {
  clock: Clock;
  identifySource: IdentifySource;
  inTurn: InTurn;
  secret: string;
  publicUrl: () => string;
}

/**
 * `POST /svc-api/v1/woocommerce/hello/:token`, which the plugin sends when it connects. It is signed as its webhooks
 * are, and names the shop's address. The answer says if the domain is allowed, and contains the request for an API key
 * if the source has no key.
 */
export function postHello({ clock, identifySource, inTurn, secret, publicUrl }: PostHelloDeps): Handle {
  return async function postHello(exchange, token) {
    const { facts, incoming } = exchange;
    const { teamId, id, kind, secret: ofSource } = await identifySource(exchange, token); // 404, 429, 503
    facts.team = encodeId('team', teamId);
    facts.sourceKind = kind;
    const bytes = await readBytes(incoming, bytesAtMost); // 400, 413
    const { headers } = incoming;
    if (ofSource === null || !isSigned('woocommerce', { headers, bytes }, ofSource, clock.nowMs()))
      throw new ApiError('invalid_signature', { status: 401, message: 'The signature is missing or wrong.' });
    const home = readHome(bytes); // 400
    const shopUrl = toBaseUrl(home);
    const [source, entries] = await inTurn(teamId, async (sql) => {
      await storeShopUrl(sql, { teamId, id, shopUrl });
      return [
        (await listSources(sql, teamId)).find((each) => each.id === id),
        await findEntries(sql, teamId),
      ] as const;
    }); // 503
    if (!source) throw new ApiError('not_found');
    const ask = writeApiKeyRequest(source, { secret, nowMs: clock.nowMs(), publicUrl: publicUrl() });
    const data = { isAllowed: isAllowed(hostOfUrl(home.href) ?? '', entries), ask };
    return { status: 200, body: success(data) };
  };
}

function readHome(bytes: Buffer): URL {
  let home: unknown;
  try {
    home = JSON.parse(bytes.toString())?.home;
  } catch {
    throw new ApiError('invalid_json');
  }
  const url = typeof home === 'string' ? parseWebUrl(home) : null;
  if (url === null || url.username || url.password)
    throw new ApiError('invalid_request', { message: '"home" must be the URL of the shop.' });
  return url;
}
