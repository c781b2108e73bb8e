// @module-tag all
import fc from 'fast-check';
import { beforeAll, expect } from 'vitest';
import { createSequence } from '../../../src/core/people/sql/sequence.js';
import type { OpenApi } from '../../../src/features/docs/openapi/document.js';
import { readEmail } from '../../../src/values/email.js';
import { encodeId, newUuid } from '../../../src/values/ids.js';
import { test as base, type Shop } from '../../kit/shop.js';
import { createCheck, operationsOf, readDocument } from './kit/openapi.js';

let document: OpenApi;
let check: ReturnType<typeof createCheck>;
beforeAll(async () => {
  document = await readDocument();
  check = createCheck(document);
});
const json = 'application/json';
const paths = {
  orders: '/svc-api/v1/orders',
  refund: '/svc-api/v1/orders/refunds',
  enroll: '/svc-api/v1/sequences/enroll',
};

type Body = Record<string, unknown>;

/** A request with the body that is sent. */
interface Sent {
  path: string;
  type: string;
  text: string;
  /** The API key; null for none. */
  key: string | null;
}

/** Prepares a shop that has a report and an enrollment, and a function that sends requests to it. */
async function openTrial({ server, sql, team, teamId, origin, liveKey, report }: Shop) {
  const email = 'ann@shop.example';
  await report({ email });
  const sequence = newUuid();
  await createSequence(sql, team, { id: sequence, name: 'Welcome' });
  return {
    key: await liveKey(),
    report: { teamId, email, amount: 49.9 } as Body,
    enrollment: { email, sequenceId: encodeId('seq', sequence) } as Body,
    async send({ path, type, text, key }: Sent): Promise<number> {
      const headers = {
        'content-type': type,
        ...(key === null ? { origin } : { authorization: `Bearer ${key}` }),
      };
      return (await server.send('POST', path, { headers, body: text })).status;
    },
  };
}

const test = base.extend('trial', ({ shop }) => openTrial(shop));

/** Returns the status by which a gateway answers that knows only the document. It validates, and stores nothing. */
function statusByDocument({ path, type, text, key }: Sent): number {
  const { is } = operationsOf(document).find((operation) => operation.path === path)!;
  if (key === null && !is.security.some((one: object) => !('bearer' in one))) return 401;
  const media = is.requestBody.content[type.split(';')[0]!];
  if (!media) return 415;
  try {
    return check.complaint(media.schema, JSON.parse(text)) === '' ? 200 : 400;
  } catch {
    return 400;
  }
}

test.for<[string, keyof typeof paths, string, number, (valid: Body) => unknown]>([
  ['an order', 'orders', json, 200, (valid) => valid],
  ['an order with a charset', 'orders', 'application/json; charset=utf-8', 200, (valid) => valid],
  ['an order as a browser sends it', 'orders', 'text/plain;charset=UTF-8', 200, (valid) => valid],
  ['an order as HTML', 'orders', 'text/html', 415, (valid) => valid],
  ['an order without a type', 'orders', '', 415, (valid) => valid],
  ['a form', 'orders', 'application/x-www-form-urlencoded', 415, () => 'a=b'],
  ['XML', 'orders', 'application/xml', 415, () => '<order/>'],
  ['half a body', 'orders', json, 400, () => '{"teamId":'],
  ['a text as text', 'orders', 'text/plain', 400, () => 'an order'],
  ['an enrollment', 'enroll', json, 200, (valid) => valid],
  ['an enrollment as text', 'enroll', 'text/plain', 415, (valid) => valid],
  ['an enrollment of an email that is null', 'enroll', json, 400, (valid) => ({ ...valid, email: null })],
  ['an enrollment without a sequence', 'enroll', json, 400, ({ email }) => ({ email })],
  ['a refund', 'refund', json, 200, () => ({ orderId: 'a', refundId: 'r' })],
  ['a refund of nothing', 'refund', json, 400, () => ({ orderId: 'a', refundId: 's', amount: 0 })],
  ['a refund with a field of its own', 'refund', json, 400, () => ({ orderId: 'a', refundId: 's', x: 1 })],
  ['a refund as text', 'refund', 'text/plain', 415, () => ({ orderId: 'a', refundId: 's' })],
])('%s is judged by the server as by the document', async ([, route, type, status, change], { trial }) => {
  const body = change(route === 'orders' ? trial.report : trial.enrollment);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const sent = { path: paths[route], type, text, key: trial.key };
  expect([await trial.send(sent), statusByDocument(sent)]).toEqual([status, status]);
});

test('an enrollment without a key is judged by the server as by the document', async ({ trial }) => {
  const sent = { path: paths.enroll, type: json, text: JSON.stringify(trial.enrollment), key: null };
  expect([await trial.send(sent), statusByDocument(sent)]).toEqual([401, 401]);
});

/**
 * Values around each bound of the document, and of every JSON type. Texts are such that JSON Schema can judge them: it counts
 * characters and not UTF-16 code units, and cannot forbid a lone surrogate in every language.
 */
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 2, stringUnit: 'grapheme-ascii' }),
  fc.constantFrom(-1, -0.01, 0, 1e-7, 0.1, 1e12, 1e15, true, null),
  fc.constantFrom(
    '',
    ' ',
    ' a',
    'a\0',
    'a\x1f',
    '\x1eb',
    'é',
    'usd',
    'USDCX',
    'USDCXX',
    'U5D',
    'stripe',
    'OTHER',
    'BANK',
  ),
  fc.constantFrom('A@b.example', 'a@b', 'a@b..c', 'a b@c.d', ' a@b.c', 'é@b.example'),
  fc.constantFrom('a\u007f@b.c', 'a@b.\u0001c'),
  fc.constantFrom(1, 63, 64, 65, 127, 128, 129, 254, 255, 256).map((length) => 'x'.repeat(length)),
  fc.constantFrom(63, 64, 65, 244, 245, 246).map((length) => `${'x'.repeat(length)}@b.example`),
  fc.constantFrom(500, 501).map((length) => Array(length).fill({})),
);
/** @returns false for a field `other` with NUL, U+001E or U+001F in it: the document can forbid those only in a text itself */
const isChecked = ([name, sent]: [string, unknown]) =>
  name !== 'other' || !/\\u00(?:00|1e|1f)/.test(JSON.stringify(sent));
const fields = (names: string) =>
  fc.array(fc.tuple(fc.constantFrom(...names.split(' ')), value).filter(isChecked), { maxLength: 2 });
const itemFields = fields('productId sku name variant category quantity price other');
const mutation = fc.record({
  set: fields('email amount orderId currency source name items visitorId sdkVersion other'),
  items: fc.option(fc.array(itemFields, { maxLength: 2 })),
  without: fc.option(fc.constantFrom('teamId', 'email', 'amount'), { freq: 9 }),
});

function mutated(
  report: Body,
  { set, items, without }: typeof mutation extends fc.Arbitrary<infer T> ? T : never,
) {
  const body: Body = { ...report, ...Object.fromEntries(set) };
  if (items) body.items = items.map((some) => Object.fromEntries(some));
  if (without) delete body[without];
  return body;
}

/** Writes a body as the document describes it. The server also takes wrapped emails, spaces around ids, other cases, and
 * foreign versions. */
function asDescribed(body: Body, report: Body): Body {
  const notices = { ...body };
  if (typeof notices.email === 'string') notices.email = readEmail(notices.email) ?? notices.email;
  if (typeof notices.orderId === 'string') notices.orderId = notices.orderId.trim();
  if (typeof notices.source === 'string') notices.source = notices.source.toUpperCase();
  const { sdkVersion } = notices;
  if (check.complaint({ $ref: '#/components/schemas/OrderReport' }, { ...report, sdkVersion }))
    delete notices.sdkVersion;
  return notices;
}

test('random reports with a key are refused by the server exactly when the document refuses them', async ({
  trial: { send, report, key },
}) => {
  await fc.assert(
    fc.asyncProperty(mutation, async (change) => {
      const body = mutated(report, change);
      const sent = { path: paths.orders, type: json, key };
      const status = await send({ ...sent, text: JSON.stringify(body) });
      expect(status).toBe(statusByDocument({ ...sent, text: JSON.stringify(asDescribed(body, report)) }));
    }),
    { numRuns: 150 },
  );
});

test('random reports of a page that the document allows are stored', async ({ trial: { send, report } }) => {
  await fc.assert(
    fc.asyncProperty(mutation, async (change) => {
      const { orderId, ...body } = mutated(report, change);
      const sent = { path: paths.orders, type: 'text/plain', key: null, text: JSON.stringify(body) };
      if (statusByDocument(sent) === 200) expect(await send(sent)).toBe(200);
    }),
    { numRuns: 150 },
  );
});
