import { gunzipSync } from 'node:zlib';
import type { ErrorCode } from '@orderbeacon/sdk/contract';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AppDeps, createApp } from '../src/app/app.js';
import { queueBounds } from '../src/database/batch/groupCommit.js';
import { endPools } from '../src/database/pools.js';
import { hookEvents } from '../src/hooks/hook.js';
import { tellSilence } from '../src/orders/tellSilence.js';
import { importProducts } from '../src/products/importProducts.js';
import { productFileSchema } from '../src/products/productSchema.js';
import { describeRefusedKind } from '../src/refused/refusedWords.js';
import { ensureDemoTeam } from '../src/site/demoTeam.js';
import { openApiRoutes } from '../src/site/openApiRoutes.js';
import type { OpenApi } from '../src/site/openapi/document.js';
import {
  exampleEnrollmentRequest,
  exampleProduct,
  exampleSequenceId,
  exampleSlug,
  placeholderIds,
} from '../src/site/openapi/examples.js';
import type { JsonSchema } from '../src/site/openapi/jsonSchema.js';
import { exampleRefundRequest, exampleReports } from '../src/site/openapi/orderExamples.js';
import { loadSdkFiles } from '../src/site/sdkFiles.js';
import { newKey } from '../src/teams/keys.js';
import { messageOf, statusOf } from '../src/values/errors.js';
import { decodeId } from '../src/values/ids.js';
import { tellTime } from '../src/values/tellTime.js';
import { createCheck, type Operation, operationsOf } from './openapi.js';
import { type Answer, startServerForTest, startTestServer } from './server.js';

type TestServer = Awaited<ReturnType<typeof startTestServer>>;

const json = { 'content-type': 'application/json' };

let server: TestServer;
let document: OpenApi;
let check: ReturnType<typeof createCheck>;
let key: string;
let teamId: string;
let report: ReturnType<typeof exampleReports>['fromAPage']['value'];
let enrollment: ReturnType<typeof exampleEnrollmentRequest>;
/** Headers that a browser sends from `/docs`. */
let page: { origin: string };

beforeAll(async () => {
  server = await startTestServer();
  const demo = (await ensureDemoTeam(server.sql, server.url))!;
  teamId = demo.teamId;
  key = demo.key!;
  page = { origin: server.url };
  const ids = { teamId, sequenceId: exampleSequenceId };
  report = exampleReports(ids).fromAPage.value;
  enrollment = exampleEnrollmentRequest(ids);
  document = (await server.send('GET', '/openapi.json')).body;
  check = createCheck(document);
});
afterAll(() => server.close());

const operation = (id: string): Operation => operationsOf(document).find(({ is }) => is.operationId === id)!;

/** Every object below a value, with the path to it. */
function* objectsIn(value: unknown, path = ''): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [path, value as Record<string, unknown>];
  for (const [name, child] of Object.entries(value)) yield* objectsIn(child, `${path}/${name}`);
}

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1, and every reference in it resolves', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(document)));
    expect([errors, valid, validator.version]).toEqual([undefined, true, '3.1']);
    const references = [...objectsIn(document)].flatMap(([, value]) =>
      typeof value.$ref === 'string' ? [value.$ref] : [],
    );
    expect(references.length).toBeGreaterThan(20);
    const lost = references.filter((reference) => {
      const steps = reference.split('/').slice(1);
      // biome-ignore lint/suspicious/noExplicitAny: it walks through whatever is there
      const target = steps.reduce((at: any, name) => at?.[name], document);
      return target === undefined;
    });
    expect(lost).toEqual([]);
  });

  it('names the server’s public URL, and tools on other sites can read it', async () => {
    expect(document.servers).toEqual([{ url: server.url }]);
    const answer = await server.send('GET', '/openapi.json');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('content-type')).toBe('application/json');
  });

  it('describes every field, every header and every parameter', () => {
    const bare = [...objectsIn(document.components.schemas)].flatMap(([path, { properties }]) =>
      Object.entries((properties ?? {}) as Record<string, { description?: string; $ref?: string }>)
        .filter(([, field]) => !field.description && !field.$ref)
        .map(([name]) => `${path}.${name}`),
    );
    expect(bare).toEqual(['/Failure.success', '/Failure.error']);
    const { headers, parameters } = document.components;
    const others = [headers, parameters, ...operationsOf(document).map(({ is }) => is.parameters)];
    for (const part of others.flatMap((some) => Object.values(some) as { $ref?: string }[])) {
      if (!part.$ref) expect(part).toHaveProperty('description', expect.stringMatching(/\w{3}.*\.$/));
    }
  });

  it('has patterns in ASCII, which a gateway can write into a header', () => {
    const patterns = [...objectsIn(document)].flatMap(([, { pattern }]) =>
      typeof pattern === 'string' ? [pattern] : [],
    );
    expect(patterns.length).toBeGreaterThan(5);
    expect(patterns.filter((pattern) => !/^[\x20-\x7e]+$/.test(pattern))).toEqual([]);
  });

  it('tells the kinds of product apart by enums, which generators for OpenAPI 3.0 read, too', () => {
    // biome-ignore lint/suspicious/noExplicitAny: it walks through schemas of several shapes
    const schemas = document.components.schemas as Record<string, any>;
    const { mapping } = schemas.Product.discriminator;
    const enums = schemas.Product.oneOf.flatMap(({ $ref }: { $ref: string }) =>
      schemas[$ref.split('/').at(-1)!].properties.type.enum?.map((type: string) => [type, $ref]),
    );
    expect(enums).toEqual(Object.entries(mapping));
  });

  it('asks for a key first, because Postman uses the first entry, and allows only order reports without one', () => {
    const securities = operationsOf(document).map(({ is }) => [is.operationId, is.security]);
    expect(Object.fromEntries(securities)).toEqual({
      getProduct: [{ bearer: [] }],
      enrollPerson: [{ bearer: [] }],
      reportOrder: [{ bearer: [] }, {}],
      getOrder: [{ bearer: [] }],
      refundOrder: [{ bearer: [] }],
    });
  });

  it('shows examples that fit its own schemas', () => {
    let shown = 0;
    for (const { is } of operationsOf(document)) {
      const bodies = [is.requestBody, ...Object.values(is.responses)].filter(Boolean);
      // biome-ignore lint/suspicious/noExplicitAny: requests and answers alike
      for (const content of bodies.flatMap((body: any) => Object.entries<any>(body.content ?? {}))) {
        const [, { schema, example, examples }] = content;
        const values = example
          ? [example]
          : Object.values<{ value: unknown }>(examples).map((one) => one.value);
        for (const value of values) {
          expect(check.complaint(schema, value)).toBe('');
          shown++;
        }
      }
    }
    expect(shown).toBeGreaterThan(30);
  });

  it('refuses what the server refuses: a wrong type and a missing field', () => {
    const schema = { $ref: '#/components/schemas/OrderReport' };
    expect(check.complaint(schema, { ...report, amount: '49.9' })).toMatch(/amount must be number/);
    expect(check.complaint(schema, { ...report, email: undefined })).toMatch(/email/);
    expect(check.complaint(schema, { ...report, source: 'CASH' })).toMatch(/source/);
  });
});

/** Routes for browsers, for people and for the operator's machines. */
const undocumentedRoutes = [
  'OPTIONS /svc-api/v1/orders',
  'POST /svc-api/v1/sources/{token}',
  'GET /healthz',
  'GET /healthz/proxies',
  'GET /readyz',
  'GET /metrics',
  'GET /sdk/{file}',
  'GET /sdk/{version}/{file}',
  'GET /demo',
  'GET /demo/',
  'GET /openapi.json',
  'GET /docs.md',
  'GET /docs/',
  'GET /docs/api',
  'GET /docs/assets/{file}',
  'GET /docs/*',
  'GET /llms.txt',
  'GET /llms-full.txt',
  'GET /',
  'GET /console',
  'GET /console/',
  'GET /console/assets/{file}',
  'GET /console/check',
  'GET /console/compare',
  'GET /console/live',
  'GET /console/orders',
  'GET /console/orders.csv',
  'GET /console/orders/{id}',
  'GET /console/refused',
  'GET /console/refused/{id}',
  'GET /console/setup',
  'GET /console/sign-in',
  'GET /console/webhooks',
  'GET /console/webhooks/{id}',
  'POST /console/check',
  'POST /console/compare',
  'POST /console/compare/store',
  'POST /console/domains',
  'POST /console/domains/remove',
  'POST /console/domains/restore',
  'POST /console/links',
  'POST /console/refused/allow',
  'POST /console/refused/correct',
  'POST /console/refused/correct-all',
  'POST /console/refused/discard',
  'POST /console/refused/store',
  'POST /console/sessions/revoke',
  'POST /console/sign-in',
  'POST /console/sign-out',
  'POST /console/signing-keys',
  'POST /console/signing-keys/require',
  'POST /console/signing-keys/revoke',
  'POST /console/sources',
  'POST /console/sources/remove',
  'POST /console/sources/secret',
  'POST /console/switch',
  'POST /console/webhooks',
  'POST /console/webhooks/remove',
  'POST /console/webhooks/resend',
  'POST /console/webhooks/resend-failed',
  'POST /console/webhooks/switch',
  'POST /console/webhooks/test',
];

/** Fields without a schema. The document allows additional properties; this check does not. */
function undocumented(name: string, value: object): string[] {
  const closed = structuredClone(document.components.schemas) as Record<string, JsonSchema>;
  for (const [, schema] of objectsIn(closed)) if (schema.properties) schema.additionalProperties = false;
  const strict = createCheck({ ...document, components: { ...document.components, schemas: closed } });
  const wrong = strict.complaint({ $ref: `#/components/schemas/${name}` }, value);
  return wrong ? [wrong] : [];
}

describe('the document’s webhooks', () => {
  it('are those of the events, each with a body that fits its schema and names the event', () => {
    expect(Object.keys(document.webhooks)).toEqual([...hookEvents, 'hook.test']);
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      const { schema, example } = post.requestBody.content['application/json'];
      expect(example.type).toBe(type);
      expect(check.complaint(schema, example)).toBe('');
      expect(undocumented(String(schema.$ref).split('/').at(-1)!, example)).toEqual([]);
    }
  });

  it('have messages as the server writes them, the one of a silence some hours after the last order', () => {
    // biome-ignore lint/suspicious/noExplicitAny: examples of several shapes
    const exampleOf = (type: string): any =>
      document.webhooks[type]!.post.requestBody.content['application/json'].example;
    const { timestamp, data: silence } = exampleOf('orders.stopped');
    const [lastOrderAt, at] = [new Date(silence.lastOrderAt), new Date(timestamp)];
    expect(at.getTime() - lastOrderAt.getTime()).toBeGreaterThan(3_600_000);
    expect(silence.message).toBe(tellSilence({ ...silence, lastOrderAt }, (time) => tellTime(time, at)));
    const { data: begun } = exampleOf('refused.began');
    const { why, advice } = describeRefusedKind({ ...begun, field: begun.field ?? '' }, new Set());
    expect(begun.message).toBe(
      `Reports begin to be refused: ${why}. 1 report so far. In the console, under Refused: ${advice}`,
    );
  });
});

describe('an example that is sent to a server', () => {
  const answers = (id: string, answer: Answer, data: object, schema: string) => {
    expect(check.complaints(operation(id), answer)).toEqual([]);
    expect(answer.status).toBe(200);
    expect(undocumented(schema, answer.body.data)).toEqual([]);
    expect(Object.keys(answer.body.data).sort()).toEqual(Object.keys(data).sort());
  };

  it('looks up the product of the document, and then gets 304 for it', async () => {
    const { is } = operation('getProduct');
    const [{ example: slug }] = is.parameters;
    const shown = is.responses[200].content['application/json'].example.data;
    const path = `/svc-api/v1/products/${slug}`;
    const headers = { authorization: `Bearer ${key}` };
    const answer = await server.send('GET', path, { headers });
    answers('getProduct', answer, shown, 'Product');
    const known = { ...headers, 'if-none-match': answer.headers.get('etag')! };
    const again = await server.send('GET', path, { headers: known });
    expect([again.status, check.complaints(operation('getProduct'), again)]).toEqual([304, []]);

    const comparable = (product: typeof exampleProduct) =>
      JSON.parse(JSON.stringify(product), (name, value) =>
        name === 'id' || name.endsWith('At') ? undefined : value,
      );
    // Links lead to the shop of the team: that of the demo team is this server.
    const here = JSON.parse(JSON.stringify(shown).replaceAll('https://shop.example', server.url));
    expect(comparable(answer.body.data)).toEqual(comparable(here));
  });

  it.each(['MEETING', 'MEMBERSHIP', 'WEBINAR', 'EVENT', 'DIGITAL'])(
    'finds a product of type %s as documented, full and empty',
    async (type) => {
      const when = { startsAt: '2026-05-01T18:00:00Z', endsAt: '2026-05-01T20:00:00+02:00', timezone: 'UTC' };
      const texts = { benefits: ['All'], speakers: ['Ann'], interval: 'MONTH', location: 'Hall' };
      const urls = {
        bookingUrl: 'https://a.example/b',
        joinUrl: 'https://a.example/j',
        replayUrl: 'https://a.example/r',
        onlineUrl: 'https://a.example/o',
      };
      const counts = { durationMinutes: 30, intervalCount: 1, trialDays: 7, capacity: 100 };
      const venue = { name: 'Hall', address: 'Way 1', city: 'Berlin', country: 'DE' };
      const empty = { title: type, slug: `empty-${type}`, type, price: 0 };
      const full = {
        ...exampleProduct,
        ...when,
        ...texts,
        ...urls,
        ...counts,
        venue,
        type,
        slug: `full-${type}`,
      };
      const team = decodeId('team', teamId)!;
      await importProducts(server.sql, team, productFileSchema.parse([empty, full]));
      for (const slug of [empty.slug, full.slug]) {
        const headers = { authorization: `Bearer ${key}` };
        const answer = await server.send('GET', `/svc-api/v1/products/${slug}`, { headers });
        expect(answer.body.data.type).toBe(type);
        expect(check.complaints(operation('getProduct'), answer)).toEqual([]);
        expect(undocumented('Product', answer.body.data)).toEqual([]);
      }
    },
  );

  it('enrolls the person of the document', async () => {
    const { requestBody, responses } = operation('enrollPerson').is;
    const examples = Object.values<{ value: object }>(requestBody.content['application/json'].examples);
    expect(examples.length).toBeGreaterThan(0);
    for (const { value } of examples) {
      const answer = await server.enroll(key, value);
      answers('enrollPerson', answer, responses[200].content['application/json'].example.data, 'Enrollment');
    }
  });

  it('reports an order as a page and as a backend, in both content types', async () => {
    const { requestBody, responses } = operation('reportOrder').is;
    const shown = responses[200].content['application/json'].example.data;
    let sent = 0;
    for (const [type, { examples }] of Object.entries<{ examples: object }>(requestBody.content)) {
      for (const { value } of Object.values<{ value: object }>(examples as never)) {
        for (const trust of [page, { authorization: `Bearer ${key}` }]) {
          const body = JSON.stringify(value);
          const headers = { 'content-type': type, ...trust };
          const answer = await server.send('POST', '/svc-api/v1/orders', { headers, body });
          answers('reportOrder', answer, shown, 'Order');
          expect(answer.body.data.amount).toBe(JSON.parse(body).amount);
          sent++;
        }
      }
    }
    expect(sent).toBe(12);
  });

  it('refunds a part and then all of an order, and reads it', async () => {
    const { requestBody, responses } = operation('refundOrder').is;
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
    const { orderId } = exampleRefundRequest;
    await server.reportByKey(key, { ...report, orderId });
    for (const { value } of Object.values<{ value: object }>(
      requestBody.content['application/json'].examples,
    )) {
      const body = JSON.stringify(value);
      const answer = await server.send('POST', '/svc-api/v1/orders/refunds', { headers, body });
      answers('refundOrder', answer, responses[200].content['application/json'].example.data, 'Refund');
      const again = await server.reportByKey(key, { ...report, orderId });
      expect(check.complaints(operation('reportOrder'), again)).toEqual([]);
      expect(undocumented('Order', again.body.data)).toEqual([]);
    }
    const shown = operation('getOrder').is.responses[200].content['application/json'].example.data;
    const order = await server.send('GET', `/svc-api/v1/orders/${orderId}`, { headers });
    answers('getOrder', order, shown, 'PlacedOrder');
    expect(order.body.data).toMatchObject({ orderId, paymentStatus: 'REFUNDED' });
  });

  it('tells what it could not keep of a page’s items as documented', async () => {
    const items = [{ sku: null, price: '1.000' }];
    const answer = await server.report({ ...report, orderId: 'warned', items }, page);
    expect([answer.status, answer.body.data.warnings.length]).toEqual([200, 2]);
    expect(check.complaints(operation('reportOrder'), answer)).toEqual([]);
    expect(undocumented('Order', answer.body.data)).toEqual([]);
  });
});

it('where there is no demo team, the examples show plainly what to put in', async () => {
  const other = await startServerForTest();
  const { body } = await other.send('GET', '/openapi.json');
  const texts = JSON.stringify(body);
  expect(texts).toContain(placeholderIds.teamId);
  expect(texts).toContain(placeholderIds.sequenceId);
  expect(texts).not.toMatch(/"team_[0-9a-z]{26}"/);
  await other.sql.end();
  expect((await other.send('GET', '/openapi.json')).status).toBe(200);
});

it('is made and compressed once, however many ask, and again when the database was away', async () => {
  const other = await startServerForTest();
  await ensureDemoTeam(other.sql, other.url);
  let asked = 0;
  let isAway = true;
  const watched = new Proxy(other.sql, {
    apply(sql, self, args) {
      asked++;
      return isAway ? Promise.reject(new Error('away')) : Reflect.apply(sql, self, args);
    },
  });
  const app = openApiRoutes(watched, '1.0.0', () => other.url);
  expect(await (await app.request('/')).text()).toContain(placeholderIds.teamId);
  isAway = false;
  const ask = () => app.request('/', { headers: { 'Accept-Encoding': 'gzip' } });
  const answers = await Promise.all(Array.from({ length: 20 }, ask));
  expect(asked).toBe(2);
  const bodies = await Promise.all([...answers, await ask()].map((answer) => answer.arrayBuffer()));
  expect(answers[0]!.headers.get('content-encoding')).toBe('gzip');
  for (const body of bodies) expect(gunzipSync(body).toString()).not.toContain('_PUT_YOUR_');
  expect(asked).toBe(2);
});

it('every route of the app is in the document, or is one that callers of the API have no use for', async () => {
  const { pages, endpoints } = createApp({
    pools: {},
    queue: queueBounds,
    sdk: await loadSdkFiles(),
    metrics: { watchQueue() {} },
    metricsAccess: { token: null },
  } as unknown as AppDeps);
  const routes = [...pages.routes, ...endpoints]
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
  const documented = operationsOf(document).map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  expect(documented.length).toBeGreaterThan(0);
  // One entry for each handler of a route, and a route behind `requireSession` has two.
  expect([...new Set(routes)].sort()).toEqual([...documented, ...undocumentedRoutes].sort());
});

describe('a refusal', () => {
  /** A way to provoke each refusal, by operation and code; it returns the answer. */
  type Ways = Partial<Record<ErrorCode, () => Promise<Answer>>>;
  const wrongKey = `ob_live_${'0'.repeat(36)}`;

  /** A server on which something is broken. */
  async function broken(breakIt: (server: TestServer) => Promise<unknown>) {
    const other = await startServerForTest({ env: { ORDERBEACON_RATE_LIMIT: 'off' } });
    const { teamId: otherTeam, key: otherKey } = (await ensureDemoTeam(other.sql, other.url))!;
    await breakIt(other);
    const origin = { origin: other.url };
    const reportTo = () => other.report({ ...report, teamId: otherTeam }, origin);
    return { other, otherKey: otherKey!, reportTo };
  }
  const withoutDatabase = () => broken(({ pools }) => endPools(pools));
  const withoutTable = (name: string) => broken(({ sql }) => sql`alter table ${sql(name)} rename to gone`);

  const getPath = `/svc-api/v1/products/${exampleSlug}`;
  const get = (on: TestServer, headers: Record<string, string>, path = getPath) =>
    on.send('GET', path, { headers });
  const enrollPath = '/svc-api/v1/sequences/enroll';
  const enrollRaw = (headers: Record<string, string>, body: string) =>
    server.send('POST', enrollPath, { headers: { authorization: `Bearer ${key}`, ...headers }, body });
  /** One request of an address is allowed, and that one brought another key that nobody knows. */
  const limited = async (ask: (other: TestServer, headers: Record<string, string>) => Promise<Answer>) => {
    const other = await startServerForTest({ env: { ORDERBEACON_RATE_LIMIT: '1' } });
    await get(other, { authorization: `Bearer ${newKey('live')}` });
    return ask(other, { authorization: `Bearer ${newKey('live')}` });
  };
  const orderPath = '/svc-api/v1/orders/A-1001';
  const refundPath = '/svc-api/v1/orders/refunds';
  const refund = (on: TestServer, by: string, body: unknown, headers: Record<string, string> = {}) =>
    on.send('POST', refundPath, {
      headers: { ...json, authorization: `Bearer ${by}`, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const big = JSON.stringify({ name: 'x'.repeat(65_536) });

  const ways: Record<string, Ways> = {
    getProduct: {
      missing_api_key: () => get(server, {}),
      invalid_api_key: () => get(server, { authorization: `Bearer ${wrongKey}` }),
      product_not_found: () => get(server, { authorization: `Bearer ${key}` }, '/svc-api/v1/products/none'),
      rate_limited: () => limited(get),
      internal: async () => {
        const { other, otherKey } = await withoutTable('product');
        return get(other, { authorization: `Bearer ${otherKey}` });
      },
      unavailable: async () => {
        const { other, otherKey } = await withoutDatabase();
        return get(other, { authorization: `Bearer ${otherKey}` });
      },
    },
    enrollPerson: {
      invalid_json: () => enrollRaw(json, '{'),
      invalid_request: () => server.enroll(key, { email: 'ann' }),
      missing_api_key: () => server.send('POST', enrollPath, { headers: json, body: '{}' }),
      invalid_api_key: () => server.enroll(wrongKey, enrollment),
      person_not_found: () => server.enroll(key, { ...enrollment, email: 'no@shop.example' }),
      sequence_not_found: () => server.enroll(key, { ...enrollment, sequenceId: 'seq_none' }),
      payload_too_large: () => enrollRaw(json, big),
      unsupported_media_type: () => enrollRaw({ 'content-type': 'text/plain' }, '{}'),
      rate_limited: () =>
        limited((other, headers) => other.send('POST', enrollPath, { headers: { ...json, ...headers } })),
      internal: async () => {
        const { other, otherKey } = await withoutTable('subscription');
        return other.enroll(otherKey, enrollment);
      },
      unavailable: async () => {
        const { other, otherKey } = await withoutDatabase();
        return other.enroll(otherKey, enrollment);
      },
    },
    getOrder: {
      missing_api_key: () => get(server, {}, orderPath),
      invalid_api_key: () => get(server, { authorization: `Bearer ${wrongKey}` }, orderPath),
      order_not_found: () => get(server, { authorization: `Bearer ${key}` }, '/svc-api/v1/orders/none'),
      rate_limited: () => limited((other, headers) => get(other, headers, orderPath)),
      internal: async () => {
        const { other, otherKey } = await withoutTable('placed_order');
        return get(other, { authorization: `Bearer ${otherKey}` }, orderPath);
      },
      unavailable: async () => {
        const { other, otherKey } = await withoutDatabase();
        return get(other, { authorization: `Bearer ${otherKey}` }, orderPath);
      },
    },
    refundOrder: {
      invalid_json: () => refund(server, key, '{'),
      invalid_request: () => refund(server, key, { ...exampleRefundRequest, amount: 0 }),
      missing_api_key: () => server.send('POST', refundPath, { headers: json, body: '{}' }),
      invalid_api_key: () => refund(server, wrongKey, exampleRefundRequest),
      team_mismatch: () => refund(server, key, { ...exampleRefundRequest, teamId: 'team_other' }),
      order_not_found: () => refund(server, key, { refundId: 'of-none', orderId: `ord_${'0'.repeat(26)}` }),
      refund_id_reused: async () => {
        await refund(server, key, { orderId: 'unknown', refundId: 'documented' });
        return refund(server, key, { orderId: 'other', refundId: 'documented' });
      },
      payload_too_large: () => refund(server, key, big),
      unsupported_media_type: () =>
        refund(server, key, exampleRefundRequest, { 'content-type': 'text/plain' }),
      rate_limited: () =>
        limited((other, headers) => other.send('POST', refundPath, { headers: { ...json, ...headers } })),
      internal: async () => {
        const { other, otherKey } = await withoutTable('refund');
        return refund(other, otherKey, exampleRefundRequest);
      },
      unavailable: async () => {
        const { other, otherKey } = await withoutDatabase();
        return refund(other, otherKey, exampleRefundRequest);
      },
    },
    reportOrder: {
      invalid_json: () => server.report('{', page),
      invalid_request: () => server.report({ ...report, amount: -1 }, page),
      invalid_api_key: () => server.reportByKey(wrongKey, report),
      origin_required: () => server.report(report, {}),
      domain_not_allowed: () => server.report(report, { origin: 'https://other.example' }),
      team_mismatch: async () =>
        server.reportByKey(await server.addKey((await server.addTeam()).uuid), report),
      invalid_signature: () => server.report({ ...report, orderId: 'forged', signature: 'x' }, page),
      signature_required: async () => {
        const other = await server.addTeam('shop.example');
        await server.sql`update domain set requires_signature = true where team_id = ${other.uuid}`;
        return server.report({ ...report, teamId: other.teamId });
      },
      order_conflict: async () => {
        await server.report({ ...report, orderId: 'taken' }, page);
        return server.report({ ...report, orderId: 'taken', email: 'eve@shop.example' }, page);
      },
      idempotency_key_reused: async () => {
        const once = { 'idempotency-key': 'evt_documented' };
        await server.reportByKey(key, { ...report, orderId: 'once' }, once);
        return server.reportByKey(key, { ...report, orderId: 'twice' }, once);
      },
      payload_too_large: () => server.report(big, page),
      unsupported_media_type: () => server.report(report, { ...page, 'content-type': 'text/html' }),
      rate_limited: async () => {
        const other = await startServerForTest({ env: { ORDERBEACON_RATE_LIMIT: '1' } });
        await other.report(report);
        return other.report(report);
      },
      internal: async () => (await withoutTable('placed_order')).reportTo(),
      unavailable: async () => (await withoutDatabase()).reportTo(),
    },
  };

  const cases = Object.entries(ways).flatMap(([id, codes]) =>
    Object.entries(codes).map(([code, provoke]) => ({ id, code: code as ErrorCode, provoke })),
  );

  it.each(cases)('$code of $id is as documented', async ({ id, code, provoke }) => {
    const answer = await provoke();
    expect([answer.status, answer.body.error.code]).toEqual([statusOf[code], code]);
    expect(check.complaints(operation(id), answer)).toEqual([]);
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
