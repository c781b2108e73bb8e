import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { shopifyVersion } from '../../../src/features/sources/ask/askShopify.js';
import type { SourceKind } from '../../../src/features/sources/source.js';
import { startHttp } from '../../kit/http.js';
import { paidOrder } from './kit/shopifySamples.js';
import { charge, session, stripeEvent } from './kit/stripeSamples.js';
import { wooOrder } from './kit/wooCommerceSamples.js';

/** A fault of one request: an error, a cut connection, no answer, or another answer. */
export type ShopFaultOfTest =
  | 'error'
  | 'cut'
  | 'hang'
  | { status: number; headers?: Record<string, string>; body?: string };

/** The API key that each stand-in accepts. */
export const apiKeys: Record<SourceKind, string> = {
  stripe: 'rk_live_1',
  shopify: 'shpat_1',
  woocommerce: 'ck_1:cs_1',
};

/** A webhook as WooCommerce lists it. */
export interface WebhookOfTest {
  delivery_url: string;
  status: string;
  topic?: string;
}

interface Listed {
  /** Time of the change in seconds since 1970. */
  changed: number;
  /** The same time by the shop's local clock, by which WordPress sorts. Default: UTC. */
  local?: number;
  payload: Record<string, unknown>;
}

/** Lists a shop's changes: this many orders, one a minute. The last one is a minute old. */
export function listChanges(kind: SourceKind, orders: number, nowMs = Date.now()): Listed[] {
  return Array.from({ length: orders }, (_, at) => changesOf(at)).flat();

  function changesOf(at: number): Listed[] {
    const changed = Math.floor(nowMs / 1_000) - 60 * (orders - at);
    const time = new Date(1_000 * changed).toISOString();
    const gmt = time.slice(0, 19);
    const id = 9_000 + at;
    switch (kind) {
      case 'woocommerce':
        return [{ changed, payload: wooOrder(id, { date_modified_gmt: gmt, date_paid_gmt: gmt }) }];
      case 'shopify':
        return [{ changed, payload: paidOrder(id, { updated_at: time, processed_at: time }) }];
      case 'stripe': {
        const [pi, created] = [`pi_of_order_${id}`, changed];
        const notices = {
          ...session({ id: `cs_live_${id}`, payment_intent: pi, metadata: { orderId: `${id}` } }),
        };
        return [
          {
            changed,
            payload: stripeEvent('checkout.session.completed', notices, { id: `evt_s${id}`, created }),
          },
          {
            changed,
            payload: stripeEvent('charge.succeeded', charge({ id: `ch_${id}`, payment_intent: pi }), {
              id: `evt_c${id}`,
              created,
            }),
          },
        ];
      }
    }
  }
}

/**
 * Starts a stand-in of a provider's API, as its documentation describes it.
 * @param fault returns the fault of a request, by its number from 1
 */
export async function startShopStandIn(
  kind: SourceKind,
  changes: Listed[],
  fault: (request: number) => ShopFaultOfTest | undefined = () => undefined,
) {
  const requests: URL[] = [];
  const webhookRequests: URL[] = [];
  const shop: ShopOfTest = { webhooks: null, dropsAuthorization: false };
  const tokenRequests: string[] = [];
  const agents: (string | undefined)[] = [];
  const { url } = await startHttp((request, response) => {
    const asked = new URL(request.url!, 'http://shop.example');
    if (/webhook/.test(asked.pathname)) {
      webhookRequests.push(asked);
      return answerWebhooks(kind, request, response, shop);
    }
    if (asked.pathname === '/admin/oauth/access_token')
      return void readText(request).then((body) => {
        tokenRequests.push(body);
        answerToken(request, response, body);
      });
    requests.push(asked);
    agents.push(request.headers['user-agent']);
    const wrong = fault(requests.length);
    if (wrong === 'hang') return;
    if (wrong === 'cut') return void request.socket.destroy();
    if (wrong === 'error') return void response.writeHead(500).end('Internal Server Error');
    if (wrong) return void response.writeHead(wrong.status, wrong.headers).end(wrong.body);
    if (shop.dropsAuthorization) delete request.headers.authorization;
    answers[kind](asked, request, response, changes);
  });
  return { url, requests, webhookRequests, tokenRequests, agents, shop };
}

/** State of a stand-in that a test may change. */
interface ShopOfTest {
  /** Its webhooks; null if its key may not read them. */
  webhooks: WebhookOfTest[] | null;
  /** Set if the host drops the header `Authorization`. */
  dropsAuthorization: boolean;
}

function answerWebhooks(
  kind: SourceKind,
  { headers }: IncomingMessage,
  response: ServerResponse,
  { webhooks }: ShopOfTest,
) {
  if (webhooks === null || !headers.authorization)
    return answer(response, 401, { code: 'woocommerce_rest_cannot_view' });
  if (kind === 'woocommerce')
    return answer(
      response,
      200,
      webhooks.map((webhook) => ({ topic: 'order.updated', ...webhook })),
    );
  const data = webhooks.map(({ delivery_url: url, status }) => ({ url, status }));
  answer(response, 200, { object: 'list', data });
}

/** The app to which the stand-in of Shopify gives the token of `apiKeys`. */
export const shopifyApp = 'client-1:shpss_1';

/** Answers as Shopify's endpoint of OAuth does. */
function answerToken({ method, headers }: IncomingMessage, response: ServerResponse, body: string) {
  const sent = new URLSearchParams(body);
  const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
  if (method !== 'POST' || !isForm || sent.get('grant_type') !== 'client_credentials')
    return answer(response, 400, { error: 'invalid_request' });
  if (sent.get('client_id') === 'not-installed') return answer(response, 400, { error: 'app_not_installed' });
  if (`${sent.get('client_id')}:${sent.get('client_secret')}` !== shopifyApp)
    return answer(response, 401, { error: 'invalid_client' });
  answer(response, 200, { access_token: apiKeys.shopify, scope: 'read_orders', expires_in: 86_399 });
}

type AnswerShop = (asked: URL, request: IncomingMessage, response: ServerResponse, changes: Listed[]) => void;

function answer(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

const answers: Record<SourceKind, AnswerShop> = {
  woocommerce(asked, { headers }, response, changes) {
    const basic = `Basic ${Buffer.from(apiKeys.woocommerce).toString('base64')}`;
    const query = asked.searchParams;
    const inQuery = `${query.get('consumer_key')}:${query.get('consumer_secret')}`;
    if (headers.authorization !== basic && inQuery !== apiKeys.woocommerce) {
      const code = headers.authorization
        ? 'woocommerce_rest_authentication_error'
        : 'woocommerce_rest_cannot_view';
      return answer(response, 401, { code, data: { status: 401 } });
    }
    if (asked.pathname !== '/wp-json/wc/v3/orders') return answer(response, 404, { code: 'rest_no_route' });
    const timeOf = (name: string, without: number) =>
      query.has(name) ? Date.parse(`${query.get(name)}Z`) / 1_000 : without;
    const [after, before] = [
      timeOf('modified_after', 0),
      timeOf('modified_before', Number.POSITIVE_INFINITY),
    ];
    const placeOf = ({ changed, local = changed, payload }: Listed) =>
      query.get('orderby') === 'id' ? Number(payload.id) : local;
    const found = changes
      .filter(({ changed }) => changed > after && changed < before)
      .sort((a, b) => placeOf(a) - placeOf(b));
    const size = Number(query.get('per_page'));
    const from = query.has('offset')
      ? Number(query.get('offset'))
      : (Number(query.get('page') ?? 1) - 1) * size;
    const page = found.slice(from, from + size).map(({ payload }) => payload);
    answer(response, 200, page, { 'x-wp-total': String(found.length) });
  },
  shopify(asked, { headers }, response, changes) {
    if (!asked.pathname.startsWith(`/admin/api/${shopifyVersion}/`)) return answer(response, 404, {});
    if (headers['x-shopify-access-token'] !== apiKeys.shopify)
      return answer(response, 401, { errors: 'Invalid API key' });
    const query = asked.searchParams;
    const position = query.get('page_info');
    const [after, from] = position
      ? (JSON.parse(atob(position)) as [number, number])
      : [Date.parse(query.get('updated_at_min')!) / 1_000, 0];
    const found = changes.filter(({ changed }) => changed >= after).sort((a, b) => a.changed - b.changed);
    const size = Number(query.get('limit'));
    const next = encodeURIComponent(btoa(JSON.stringify([after, from + size])));
    const link = `<https://shop.example/admin/api/${shopifyVersion}/orders.json?limit=${size}&page_info=${next}>; rel="next"`;
    const orders = found.slice(from, from + size).map(({ payload }) => payload);
    answer(response, 200, { orders }, found.length > from + size ? { link } : {});
  },
  stripe(asked, { headers }, response, changes) {
    if (headers.authorization !== `Bearer ${apiKeys.stripe}`)
      return answer(response, 401, { error: { type: 'invalid_request_error' } });
    const query = asked.searchParams;
    const [from, before] = [Number(query.get('created[gte]')), Number(query.get('created[lt]'))];
    const types = query.getAll('types[]');
    const found = changes
      .filter(
        ({ changed, payload }) => changed >= from && changed < before && types.includes(String(payload.type)),
      )
      .sort((a, b) => b.changed - a.changed);
    const behind = query.get('starting_after');
    const at = behind === null ? 0 : found.findIndex(({ payload }) => payload.id === behind) + 1;
    const size = Number(query.get('limit'));
    const data = found.slice(at, at + size).map(({ payload }) => payload);
    answer(response, 200, { object: 'list', url: '/v1/events', has_more: found.length > at + size, data });
  },
};
