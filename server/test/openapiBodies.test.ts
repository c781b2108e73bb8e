import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPeople } from '../src/people/sql/person.js';
import { createSequence } from '../src/people/sql/sequence.js';
import type { OpenApi } from '../src/site/openapi/document.js';
import { readEmail } from '../src/values/email.js';
import { encodeId, newUuid } from '../src/values/ids.js';
import { createCheck, type Operation, operationsOf } from './openapi.js';
import { startTestServer } from './server.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
let document: OpenApi;
let check: ReturnType<typeof createCheck>;
let key: string;
/** A report and an enrollment that the server takes. */
let report: Record<string, unknown>;
let enrollment: Record<string, unknown>;
beforeAll(async () => {
  server = await startTestServer();
  const team = await server.addTeam('shop.example');
  key = await server.addKey(team.uuid);
  const person = { id: newUuid(), email: 'ann@shop.example', name: null };
  await addPeople(server.sql, team.uuid, [person]);
  const sequence = newUuid();
  await createSequence(server.sql, team.uuid, { id: sequence, name: 'Welcome' });
  enrollment = { email: person.email, sequenceId: encodeId('seq', sequence) };
  report = { teamId: team.teamId, email: person.email, amount: 49.9 };
  document = (await server.send('GET', '/openapi.json')).body;
  check = createCheck(document);
});
afterAll(() => server.close());

const paths = {
  orders: '/svc-api/v1/orders',
  refund: '/svc-api/v1/orders/refunds',
  enroll: '/svc-api/v1/sequences/enroll',
};

/** A request of a caller, with its body as it is sent. */
interface Sent {
  path: string;
  type: string;
  text: string;
  headers: Record<string, string>;
}

async function send({ path, type, text, headers }: Sent): Promise<number> {
  const sent = { ...headers, 'content-type': type };
  return (await server.send('POST', path, { headers: sent, body: text })).status;
}

/** Status with which a gateway that knows only the document answers: it validates, and stores nothing. */
function statusByDocument({ path, type, text, headers }: Sent): number {
  const { is } = operationsOf(document).find((operation: Operation) => operation.path === path)!;
  if (!headers.authorization && !is.security.some((one: object) => !('bearer' in one))) return 401;
  const media = is.requestBody.content[type.split(';')[0]!];
  if (!media) return 415;
  return complaint(media.schema, text) === '' ? 200 : 400;
}

function complaint(schema: object, text: string): string {
  try {
    return check.complaint(schema, JSON.parse(text));
  } catch {
    return 'no JSON';
  }
}

const json = 'application/json';

describe('a body that the document', () => {
  const key400 = { email: 'ann', amount: 1 };
  it.each<[string, keyof typeof paths, string, (valid: Record<string, unknown>) => unknown, number]>([
    ['allows, an order', 'orders', json, (valid) => valid, 200],
    ['allows, with a charset', 'orders', 'application/json; charset=utf-8', (valid) => valid, 200],
    ['allows, as a browser sends it', 'orders', 'text/plain;charset=UTF-8', (valid) => valid, 200],
    ['allows, with fields of its own', 'orders', json, (valid) => ({ ...valid, coupon: 'X' }), 200],
    ['allows, an enrollment', 'enroll', json, (valid) => valid, 200],
    ['allows, a refund', 'refund', json, () => ({ orderId: 'a', refundId: 'r' }), 200],
    ['refuses, a refund of nothing', 'refund', json, () => ({ orderId: 'a', refundId: 's', amount: 0 }), 400],
    [
      'refuses, a refund with a field of its own',
      'refund',
      json,
      () => ({ orderId: 'a', refundId: 's', x: 1 }),
      400,
    ],
    ['refuses, a refund as text', 'refund', 'text/plain', () => ({ orderId: 'a', refundId: 's' }), 415],
    ['refuses, a form', 'orders', 'application/x-www-form-urlencoded', () => 'a=b', 415],
    ['refuses, XML', 'orders', 'application/xml', () => '<order/>', 415],
    ['refuses, an enrollment as text', 'enroll', 'text/plain', (valid) => valid, 415],
    ['refuses, half a body', 'orders', json, () => '{"teamId":', 400],
    ['refuses, a text as text', 'orders', 'text/plain', () => 'an order', 400],
    ['refuses, an array', 'orders', json, (valid) => [valid], 400],
    ['refuses, without most fields', 'orders', json, () => key400, 400],
    ['refuses, an amount as text', 'orders', json, (valid) => ({ ...valid, amount: '49.90' }), 400],
    ['refuses, an email that is null', 'enroll', json, (valid) => ({ ...valid, email: null }), 400],
    ['refuses, no sequence', 'enroll', json, ({ email }) => ({ email }), 400],
  ])('%s, the server answers alike', async (_, route, type, change, status) => {
    const body = change(route === 'orders' ? report : enrollment);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const sent = { path: paths[route], type, text, headers: { authorization: `Bearer ${key}` } };
    expect([await send(sent), statusByDocument(sent)]).toEqual([status, status]);
  });

  it('refuses without a key, the server refuses with the same status', async () => {
    const sent = { path: paths.enroll, type: json, text: JSON.stringify(enrollment), headers: {} };
    expect([await send(sent), statusByDocument(sent)]).toEqual([401, 401]);
  });
});

/**
 * Values around each bound of the document, and of every JSON type. Texts are within what JSON Schema can tell: it
 * counts characters and not UTF-16 code units, and has no way to forbid a lone surrogate in every language.
 */
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2, stringUnit: 'grapheme-ascii' }),
  fc.constantFrom(-1, -0.01, 0, 1e-7, 0.1, 1e12, 1e15, true, null),
  fc.constantFrom('', ' ', ' a', 'a\0', 'é', 'usd', 'USDCX', 'USDCXX', 'U5D', 'stripe', 'OTHER', 'BANK'),
  fc.constantFrom(
    'A@b.example',
    'a@b',
    'a@b..c',
    'a b@c.d',
    'a\u007f@b.c',
    'a@b.\u0001c',
    ' a@b.c',
    'é@b.example',
  ),
  fc.constantFrom(1, 63, 64, 65, 127, 128, 129, 254, 255, 256).map((length) => 'x'.repeat(length)),
  fc.constantFrom(63, 64, 65, 244, 245, 246).map((length) => `${'x'.repeat(length)}@b.example`),
  fc.constantFrom(500, 501).map((length) => Array(length).fill({})),
);
/** A field of no meaning may hold any JSON but NUL, which the document could forbid in a field's own text only. */
const isTold = ([name, sent]: [string, unknown]) =>
  name !== 'other' || !JSON.stringify(sent).includes('\\u0000');
const field = (names: string[]) => fc.tuple(fc.constantFrom(...names), value).filter(isTold);
const fields = (names: string[]) => fc.array(field(names), { maxLength: 2 });
const itemFields = fields(['productId', 'sku', 'name', 'variant', 'category', 'quantity', 'price', 'other']);
const mutation = fc.record({
  set: fields([
    'email',
    'amount',
    'orderId',
    'currency',
    'source',
    'name',
    'items',
    'visitorId',
    'sdkVersion',
    'other',
  ]),
  items: fc.option(fc.array(itemFields, { maxLength: 2 })),
  without: fc.option(fc.constantFrom('teamId', 'email', 'amount'), { freq: 9 }),
});

type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never;

/** A body as the document describes it: the server also takes wrapped emails, spaces around ids,
 * other cases, and foreign versions. */
function asDescribed(body: Record<string, unknown>): Record<string, unknown> {
  const told = { ...body };
  if (typeof told.email === 'string') told.email = readEmail(told.email) ?? told.email;
  if (typeof told.orderId === 'string') told.orderId = told.orderId.trim();
  if (typeof told.source === 'string') told.source = told.source.toUpperCase();
  if (
    check.complaint({ $ref: '#/components/schemas/OrderReport' }, { ...report, sdkVersion: told.sdkVersion })
  )
    delete told.sdkVersion;
  return told;
}

describe('500 random reports', () => {
  const mutated = ({ set, items, without }: Mutation) => {
    const body: Record<string, unknown> = { ...report, ...Object.fromEntries(set) };
    if (items) body.items = items.map((some) => Object.fromEntries(some));
    if (without) delete body[without];
    return body;
  };

  it('with a key are refused by the server exactly when the document refuses them', async () => {
    await fc.assert(
      fc.asyncProperty(mutation, async (change) => {
        const body = mutated(change);
        const sent = { path: paths.orders, type: json, headers: { authorization: `Bearer ${key}` } };
        const status = await send({ ...sent, text: JSON.stringify(body) });
        expect(status).toBe(statusByDocument({ ...sent, text: JSON.stringify(asDescribed(body)) }));
      }),
      { numRuns: 500 },
    );
  });

  it('of a page that the document allows are stored', async () => {
    const headers = { origin: 'https://shop.example' };
    await fc.assert(
      fc.asyncProperty(mutation, async (change) => {
        const { orderId, ...body } = mutated(change);
        const sent = { path: paths.orders, type: 'text/plain', headers, text: JSON.stringify(body) };
        if (statusByDocument(sent) === 200) expect(await send(sent)).toBe(200);
      }),
      { numRuns: 500 },
    );
  });
});
