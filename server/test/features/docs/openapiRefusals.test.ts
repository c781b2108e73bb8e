import type { ErrorCode } from '@orderbeacon/sdk/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleEnrollmentRequest } from '../../../src/api/enrollPerson.js';
import { exampleRefundRequest, exampleReports } from '../../../src/api/examples.js';
import { newKey } from '../../../src/core/teams/keys.js';
import { endPools } from '../../../src/database/pools.js';
import { ensureDemoTeam } from '../../../src/features/demo/demoTeam.js';
import type { OpenApi } from '../../../src/features/docs/openapi/document.js';
import { messageOf, statusOf } from '../../../src/values/errors.js';
import { exampleSequenceId, exampleSlug } from '../../../src/values/examples.js';
import { internals } from '../../kit/fuzzComplaint.js';
import { type Answer, startTestServer, type TestServer } from '../../kit/server.js';
import { createCheck, operationsOf } from './kit/openapi.js';

/** A server with a demo team, whose ids are in the examples of its document. */
interface Documented {
  server: TestServer;
  teamId: string;
  key: string;
}

let sound: Documented;
/** Servers with wrong values in tables, without a database, and with a limit of one request a minute for each address. */
let withWrongTables: Documented;
let withoutDatabase: Documented;
let limited: Documented;
const servers = () => [sound, withWrongTables, withoutDatabase, limited];

async function start(limit = 'off'): Promise<Documented> {
  const env = { ORDERBEACON_RATE_LIMIT: limit, ORDERBEACON_TRUST_PROXY: '1' };
  const server = await startTestServer({ env });
  const demo = (await ensureDemoTeam(server.sql, server.url))!;
  return { server, teamId: demo.teamId, key: demo.apiKey! };
}

beforeAll(async () => {
  [sound, withWrongTables, withoutDatabase, limited] = await Promise.all([
    start(),
    start(),
    start(),
    start('1'),
  ]);
  const { sql } = withWrongTables.server;
  // A client repeats the request after any other fault.
  for (const table of ['product', 'subscription', 'placed_order', 'refund']) {
    await sql`alter table ${sql(table)} rename to ${sql(`no_${table}`)}`;
    await sql.unsafe(
      `create view ${table} as select * from no_${table} where 1 / (length('${table}') * 0) = 1`,
    );
  }
  await endPools(withoutDatabase.server.pools);
});
afterAll(() => Promise.all(servers().map(({ server }) => server.close())));

let document: OpenApi;
let check: ReturnType<typeof createCheck>;
beforeAll(async () => {
  document = (await sound.server.send('GET', '/openapi.json')).body;
  check = createCheck(document);
});

/** The target of a request, and its differences from a valid one. */
interface Change {
  to?: Documented;
  path?: string;
  body?: unknown;
  /** Headers; undefined removes one. */
  headers?: Record<string, string | undefined>;
}

/** Valid requests, by operation. */
const requests: Record<string, { path: string; body?: (ids: Documented) => object }> = {
  getProduct: { path: `/svc-api/v1/products/${exampleSlug}` },
  getOrder: { path: '/svc-api/v1/orders/A-1001' },
  enrollPerson: {
    path: '/svc-api/v1/sequences/enroll',
    body: ({ teamId }) => exampleEnrollmentRequest({ teamId, sequenceId: exampleSequenceId }),
  },
  refundOrder: { path: '/svc-api/v1/orders/refunds', body: () => exampleRefundRequest },
  reportOrder: {
    path: '/svc-api/v1/orders',
    body: ({ teamId }) => exampleReports({ teamId, sequenceId: exampleSequenceId }).fromAPage.value,
  },
};

function ask(id: string, { to = sound, path, body, headers = {} }: Change): Promise<Answer> {
  const request = requests[id]!;
  const sent = body ?? request.body?.(to);
  const all = { 'content-type': 'application/json', authorization: `Bearer ${to.key}`, ...headers };
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return to.server.send(request.body ? 'POST' : 'GET', path ?? request.path, {
    headers: Object.fromEntries(given),
    ...(sent !== undefined && { body: typeof sent === 'string' ? sent : JSON.stringify(sent) }),
  });
}

type Ways = Partial<Record<ErrorCode, Change | (() => Promise<Answer>)>>;

const wrongKey = { authorization: `Bearer ob_live_${'0'.repeat(36)}` };
const asPage = () => ({ authorization: undefined, origin: sound.server.url });
const report = (more: object) => ({ ...requests.reportOrder!.body!(sound), ...more });

let addresses = 0;
/** Sends two requests from a new address, with unknown keys. */
async function askTwice(id: string, headers: () => Change['headers']): Promise<Answer> {
  const own = { 'x-forwarded-for': `192.0.2.${++addresses}` };
  await ask(id, { to: limited, headers: { ...own, ...headers() } });
  return ask(id, { to: limited, headers: { ...own, ...headers() } });
}

/** The ways to provoke the refusals that every operation has, and those that every operation with a body has. */
const ofEach = (id: string): Ways => ({
  invalid_api_key: { headers: wrongKey },
  rate_limited: () => askTwice(id, () => ({ authorization: `Bearer ${newKey('live')}` })),
  internal: () => ask(id, { to: withWrongTables }),
  unavailable: () => ask(id, { to: withoutDatabase }),
  ...(requests[id]!.body && {
    invalid_json: { body: '{' },
    payload_too_large: { body: JSON.stringify({ name: 'x'.repeat(65_536) }) },
    unsupported_media_type: { headers: { 'content-type': 'text/html' } },
  }),
});

/** The ways to provoke each refusal, by operation and code. */
const ways: Record<string, Ways> = {
  getProduct: {
    ...ofEach('getProduct'),
    missing_api_key: { headers: { authorization: undefined } },
    product_not_found: { path: '/svc-api/v1/products/none' },
  },
  getOrder: {
    ...ofEach('getOrder'),
    missing_api_key: { headers: { authorization: undefined } },
    order_not_found: { path: '/svc-api/v1/orders/none' },
  },
  enrollPerson: {
    ...ofEach('enrollPerson'),
    missing_api_key: { headers: { authorization: undefined } },
    invalid_request: { body: { email: 'ann' } },
    person_not_found: { body: { email: 'no@shop.example', sequenceId: exampleSequenceId } },
    sequence_not_found: { body: { email: 'ann@shop.example', sequenceId: 'seq_none' } },
  },
  refundOrder: {
    ...ofEach('refundOrder'),
    missing_api_key: { headers: { authorization: undefined } },
    invalid_request: { body: { ...exampleRefundRequest, amount: 0 } },
    team_mismatch: { body: { ...exampleRefundRequest, teamId: 'team_other' } },
    order_not_found: { body: { refundId: 'of-none', orderId: `ord_${'0'.repeat(26)}` } },
    refund_id_reused: async () => {
      await ask('refundOrder', { body: { orderId: 'unknown', refundId: 'documented' } });
      return ask('refundOrder', { body: { orderId: 'other', refundId: 'documented' } });
    },
  },
  reportOrder: {
    ...ofEach('reportOrder'),
    invalid_request: () => ask('reportOrder', { body: report({ amount: -1 }) }),
    origin_required: { headers: { authorization: undefined } },
    domain_not_allowed: { headers: { authorization: undefined, origin: 'https://other.example' } },
    rate_limited: () =>
      askTwice('reportOrder', () => ({ authorization: undefined, origin: limited.server.url })),
    team_mismatch: () => ask('reportOrder', { body: report({ teamId: 'team_other' }) }),
    invalid_signature: () =>
      ask('reportOrder', { body: report({ orderId: 'forged', signature: 'x' }), headers: asPage() }),
    signature_required: async () => {
      const { uuid, teamId } = await sound.server.addTeam('shop.example');
      await sound.server.sql`update domain set requires_signature = true where team_id = ${uuid}`;
      return sound.server.report(report({ teamId }));
    },
    order_conflict: async () => {
      await ask('reportOrder', { body: report({ orderId: 'taken' }), headers: asPage() });
      const body = report({ orderId: 'taken', email: 'eve@shop.example' });
      return ask('reportOrder', { body, headers: asPage() });
    },
    idempotency_key_reused: async () => {
      const headers = { 'idempotency-key': 'evt_documented' };
      await ask('reportOrder', { body: report({ orderId: 'once' }), headers });
      return ask('reportOrder', { body: report({ orderId: 'twice' }), headers });
    },
  },
};

const cases = Object.entries(ways).flatMap(([id, codes]) =>
  Object.entries(codes).map(([code, way]) => ({ id, code: code as ErrorCode, way })),
);

describe('a refusal', () => {
  it.each(cases)('$code of $id is as documented, and says nothing of the server’s inside', async (one) => {
    const { id, code, way } = one;
    const answer = await (typeof way === 'function' ? way() : ask(id, way));
    expect([answer.status, answer.body.error.code]).toEqual([statusOf[code], code]);
    const operation = operationsOf(document).find(({ is }) => is.operationId === id)!;
    expect(check.complaints(operation, answer)).toEqual([]);
    expect(answer.text).not.toMatch(internals);
  });

  it('is documented only where it can happen, each code once, with its message', () => {
    for (const { is } of operationsOf(document)) {
      // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
      const refusals = Object.entries<any>(is.responses).filter(([status]) => Number(status) >= 400);
      const codes = refusals.flatMap(([, { content }]) => Object.keys(content['application/json'].examples));
      expect(codes.sort()).toEqual(Object.keys(ways[is.operationId]!).sort());
      for (const [, { description, content }] of refusals)
        for (const code of Object.keys(content['application/json'].examples))
          expect(description).toContain(`\`${code}\`: ${messageOf[code as ErrorCode]}`);
    }
  });
});

it('without a database the server is alive and not ready', async () => {
  const { send } = withoutDatabase.server;
  expect([(await send('GET', '/healthz')).status, (await send('GET', '/readyz')).status]).toEqual([200, 503]);
});
