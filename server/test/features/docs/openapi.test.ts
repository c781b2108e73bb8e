import { gunzipSync } from 'node:zlib';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleRefundRequest, exampleReports } from '../../../src/api/examples.js';
import { reportOrderOperation } from '../../../src/api/reportOrder.js';
import { findDemoTeam } from '../../../src/core/teams/sql/team.js';
import { toDocument } from '../../../src/features/catalog/productDocument.js';
import { productSchema } from '../../../src/features/catalog/productSchema.js';
import { toProduct } from '../../../src/features/catalog/toProduct.js';
import { ensureDemoTeam } from '../../../src/features/demo/demoTeam.js';
import { openApiRoutes } from '../../../src/features/docs/openApiRoutes.js';
import type { OpenApi } from '../../../src/features/docs/openapi/document.js';
import type { JsonSchema } from '../../../src/features/docs/openapi/jsonSchema.js';
import { describeRefusedKind } from '../../../src/features/refused/refusedWords.js';
import { silenceMessage } from '../../../src/features/silence/silence.js';
import { hookEvents } from '../../../src/features/webhooks/hook.js';
import { exampleProduct, exampleSequenceId, placeholderIds } from '../../../src/values/examples.js';
import { newUuid } from '../../../src/values/ids.js';
import { describeTime } from '../../../src/values/time.js';
import { appRoutes } from '../../kit/appRoutes.js';
import { type Answer, startTestServer, type TestServer } from '../../kit/server.js';
import { createCheck, type Operation, operationsOf, readDocument } from './kit/openapi.js';

let server: TestServer;
let document: OpenApi;
let check: ReturnType<typeof createCheck>;
let strict: ReturnType<typeof createCheck>;
let key: string;
let teamId: string;
let report: ReturnType<typeof exampleReports>['fromAPage']['value'];
/** Headers that a browser sends from `/docs`. */
let page: { origin: string };

beforeAll(async () => {
  server = await startTestServer();
  const demo = (await ensureDemoTeam(server.sql, server.url))!;
  teamId = demo.teamId;
  key = demo.apiKey!;
  page = { origin: server.url };
  report = exampleReports({ teamId, sequenceId: exampleSequenceId }).fromAPage.value;
  document = (await server.send('GET', '/openapi.json')).body;
  check = createCheck(document);
  strict = createStrictCheck(document);
});
afterAll(() => server.close());

const operation = (id: string): Operation => operationsOf(document).find(({ is }) => is.operationId === id)!;

/** Yields every object below a value, with the path to it. */
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
});

/** Makes a check against a copy of a document that allows no further properties. */
function createStrictCheck(of: OpenApi) {
  const closed = structuredClone(of.components.schemas) as Record<string, JsonSchema>;
  for (const [, schema] of objectsIn(closed)) if (schema.properties) schema.additionalProperties = false;
  return createCheck({ ...of, components: { ...of.components, schemas: closed } });
}

/** Lists fields without a schema. */
function undocumented(name: string, value: object): string[] {
  const wrong = strict.complaint({ $ref: `#/components/schemas/${name}` }, value);
  return wrong ? [wrong] : [];
}

describe('the document’s webhooks', () => {
  it('are those of the events, each with a body that fits its schema and names the event', () => {
    expect(Object.keys(document.webhooks)).toEqual([...hookEvents, 'hook.test'].sort());
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
    expect(silence.message).toBe(
      silenceMessage({ found: 0, ...silence, lastOrderAt }, (time) => describeTime(time, at)),
    );
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
    // Links lead to the shop of the team. That of the demo team is this server.
    const here = JSON.parse(JSON.stringify(shown).replaceAll('https://shop.example', server.url));
    expect(comparable(answer.body.data)).toEqual(comparable(here));
  });

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
    const { reportId, ...shown } = responses[200].content['application/json'].example.data;
    let sent = 0;
    for (const [type, { examples }] of Object.entries<{ examples: object }>(requestBody.content)) {
      for (const { value } of Object.values<{ value: { reportId?: string } }>(examples as never)) {
        for (const trust of [page, { authorization: `Bearer ${key}` }]) {
          const body = JSON.stringify(value);
          const headers = { 'content-type': type, ...trust };
          const answer = await server.send('POST', '/svc-api/v1/orders', { headers, body });
          const own = trust === page ? value.reportId : undefined;
          answers('reportOrder', answer, own ? { ...shown, reportId } : shown, 'Order');
          expect(answer.body.data.reportId).toBe(own);
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

it.each(['MEETING', 'MEMBERSHIP', 'WEBINAR', 'EVENT', 'DIGITAL'])(
  'a product of type %s is looked up as documented, full and empty',
  (type) => {
    const at = '2026-05-01T18:00:00.000Z';
    const texts = {
      benefits: ['All'],
      speakers: ['Ann'],
      interval: 'MONTH',
      location: 'Hall',
      timezone: 'UTC',
    };
    const urls = ['bookingUrl', 'joinUrl', 'replayUrl', 'onlineUrl'].map((name) => [
      name,
      'https://a.example/',
    ]);
    const counts = { durationMinutes: 30, intervalCount: 1, trialDays: 7, capacity: 100 };
    const venue = { name: 'Hall', address: 'Way 1', city: 'Berlin', country: 'DE' };
    const full = { ...texts, ...Object.fromEntries(urls), ...counts, startsAt: at, endsAt: at, venue };
    const row = { id: newUuid(), createdAt: at, updatedAt: at, storefrontUrl: 'https://shop.example' };
    for (const product of [
      { title: type, slug: 'empty', type, price: 0 },
      { ...exampleProduct, ...full, type },
    ]) {
      const lookedUp = toProduct(toDocument(productSchema.parse(product), null), row);
      expect(check.complaint({ $ref: '#/components/schemas/Product' }, lookedUp)).toBe('');
      expect(undocumented('Product', lookedUp)).toEqual([]);
    }
  },
);

it('where there is no demo team, the examples show plainly what to put in', async () => {
  const texts = JSON.stringify(await readDocument());
  expect(texts).toContain(placeholderIds.teamId);
  expect(texts).toContain(placeholderIds.sequenceId);
  expect(texts).not.toMatch(/"team_[0-9a-z]{26}"/);
});

it('is made and compressed once, however many ask: also while the database is away, and again when it answers', async () => {
  let [asked, made] = [0, 0];
  let isAway = true;
  const findDemo = async () => {
    asked++;
    if (isAway) throw new Error('away');
    return findDemoTeam(server.sql);
  };
  const app = openApiRoutes(
    findDemo,
    '1.0.0',
    () => {
      made++;
      return server.url;
    },
    {
      endpoints: [
        {
          method: 'POST',
          path: '/svc-api/v1/orders',
          handle: () => Promise.reject(),
          operation: reportOrderOperation,
        },
      ],
      events: [],
    },
  );
  for (const _ of [1, 2, 3]) expect(await (await app.request('/')).text()).toContain(placeholderIds.teamId);
  expect([asked, made]).toEqual([3, 1]);
  isAway = false;
  const ask = () => app.request('/', { headers: { 'Accept-Encoding': 'gzip' } });
  const answers = await Promise.all(Array.from({ length: 20 }, ask));
  expect(asked).toBe(4);
  const bodies = await Promise.all([...answers, await ask()].map((answer) => answer.arrayBuffer()));
  expect(answers[0]!.headers.get('content-encoding')).toBe('gzip');
  for (const body of bodies) expect(gunzipSync(body).toString()).not.toContain('_PUT_YOUR_');
  expect([asked, made]).toEqual([4, 2]);
});

it('has every endpoint of the app but the preflight of browsers and the webhooks of shop systems', async () => {
  const { endpoints } = await appRoutes();
  const served = endpoints.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
  const documented = operationsOf(document).map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  const others = [
    'OPTIONS /svc-api/v1/orders',
    'POST /svc-api/v1/sources/{token}',
    'POST /svc-api/v1/woocommerce/hello/{token}',
    'POST /svc-api/v1/woocommerce/key',
  ];
  expect(served.sort()).toEqual([...documented, ...others].sort());
});
