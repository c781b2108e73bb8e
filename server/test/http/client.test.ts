import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { OrderbeaconError as ClientError } from '@orderbeacon/sdk/client';
import type { OrderReport } from '@orderbeacon/sdk/contract';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { createSequence } from '../../src/core/people/sql/sequence.js';
import { encodeId, newUuid } from '../../src/values/ids.js';
import { addProduct } from '../kit/addProduct.js';
import { makeCertificate } from '../kit/certificate.js';
import { freePort } from '../kit/freePort.js';
import { listenForTest, startHttp } from '../kit/http.js';
import { type Shop, test } from '../kit/shop.js';

// The build before the tests has made this module.
const { createClient, OrderbeaconError } = await import('@orderbeacon/sdk/client');

/** Returns the options of a shop's backend, and a report without an order id. */
async function backendOf({ server, teamId, liveKey }: Shop) {
  const report: OrderReport = { teamId, email: 'ann@shop.example', amount: 49.9 };
  return { baseUrl: server.url, apiKey: await liveKey(), report };
}

interface Seen {
  headers: IncomingMessage['headers'];
  body: string;
}

/** Starts a server that answers each request as the test wants. `seen` has the requests in order. */
async function startFault(answer: (at: number, seen: Seen, response: ServerResponse) => unknown) {
  const seen: Seen[] = [];
  const { url } = await startHttp(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push({ headers: request.headers, body });
    await answer(seen.length - 1, seen.at(-1)!, response);
  });
  return { url, seen };
}

/** Makes a `fetch` that counts its calls. */
function countingFetch() {
  const counted = {
    calls: 0,
    fetch: ((...args) => {
      counted.calls++;
      return fetch(...args);
    }) as typeof fetch,
  };
  return counted;
}

/** Sends a report on to the real server. Resolves when the server has stored it. */
function passOn({ server }: Shop, { headers, body }: Seen) {
  const { authorization, 'idempotency-key': key } = headers as Record<string, string>;
  return server.report(body, { authorization: authorization!, ...(key && { 'idempotency-key': key }) });
}

const refuse = (response: ServerResponse, status: number, headers: Record<string, string> = {}) =>
  response.writeHead(status, headers).end('<html>No.</html>');

const order = { id: 'ord_1', orderNumber: 'ORD-1' };
const accept = (response: ServerResponse) => response.end(JSON.stringify({ success: true, data: order }));

/** Returns the error with which a call rejected. */
async function failure(call: Promise<unknown>): Promise<ClientError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OrderbeaconError);
  return error as ClientError;
}

describe('a client', () => {
  test('reads a product by id and by slug, whatever stands in it', async ({ shop }) => {
    const { report: _, ...backend } = await backendOf(shop);
    const tee = { title: 'Tee', slug: 'tee', type: 'PHYSICAL', price: 24.95 };
    const id = await addProduct(shop.sql, shop.team, tee);
    const { products } = createClient({ ...backend, baseUrl: `${backend.baseUrl}/` });
    const product = await products.get('tee');
    expect(product).toMatchObject({ id: encodeId('prd', id), title: 'Tee', price: 24.95 });
    expect(await products.get(product.id)).toEqual(product);
    expect(await failure(products.get('a/b?c#d'))).toMatchObject({ code: 'product_not_found', status: 404 });
  });

  test('enrolls a person, again with the same subscription', async ({ shop }) => {
    const { report: _, ...backend } = await backendOf(shop);
    const email = 'ann@shop.example';
    const { peopleId } = (await shop.report({ email })).body.data;
    const sequence = newUuid();
    await createSequence(shop.sql, shop.team, { id: sequence, name: 'Welcome' });
    const { sequences } = createClient(backend);
    const request = { email, sequenceId: encodeId('seq', sequence) };
    const enrollment = await sequences.enroll(request);
    expect(enrollment).toMatchObject({ enrolled: true, peopleId });
    expect(await sequences.enroll(request)).toEqual(enrollment);
  });

  test('reports an order as often as it is called, and once for one key of the caller', async ({ shop }) => {
    const { report, ...backend } = await backendOf(shop);
    const { orders } = createClient(backend);
    expect(await orders.report(report)).toMatchObject({ amount: 49.9, isNew: true });
    expect(await orders.report(report)).toMatchObject({ isNew: true });
    const first = await orders.report(report, { idempotencyKey: 'payment-1' });
    const second = await orders.report(report, { idempotencyKey: 'payment-1' });
    expect(second).toEqual({ ...first, isNew: false });
    expect(await shop.stored()).toHaveLength(3);
  });

  test('reports a numeric orderId as text, and has one that has lost digits refused', async ({ shop }) => {
    const { report, ...backend } = await backendOf(shop);
    const client = createClient(backend);
    await client.orders.report({ ...report, orderId: 1002 });
    // biome-ignore lint/correctness/noPrecisionLoss: that is the point
    const inexact = client.orders.report({ ...report, orderId: 1234567890123456789 });
    await expect(inexact).rejects.toMatchObject({ code: 'invalid_request', issues: [{ path: 'orderId' }] });
    expect(await shop.stored()).toMatchObject([{ orderId: '1002' }]);
  });

  test('sends a BigInt as text, and rejects what no URL, header or JSON can carry, unsent', async () => {
    const fault = await startFault((_at, _seen, response) => accept(response));
    const { orders, products, sequences } = createClient({ baseUrl: fault.url, apiKey: 'x' });
    const report = { teamId: 't', email: 'a@b.example', amount: 1 };
    await orders.report({ ...report, orderId: (2n ** 64n) as never, metadata: { row: 7n } });
    expect(JSON.parse(fault.seen[0]!.body)).toMatchObject({
      orderId: '18446744073709551616',
      metadata: { row: '7' },
    });
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    for (const call of [
      () => orders.report({ ...report, metadata: circular }),
      () => orders.report(report, { idempotencyKey: 'заказ-1' }),
      () => sequences.enroll(circular as never),
      () => products.get('\ud800'),
      () => orders.get('\ud800'),
    ])
      expect(await failure(call())).toMatchObject({ code: 'invalid_request', status: null });
    expect(fault.seen).toHaveLength(1);
  });

  test('refunds an order and reads it, by whatever id', async ({ shop }) => {
    const { report, ...backend } = await backendOf(shop);
    const { orders } = createClient(backend);
    const { id } = await orders.report({ ...report, orderId: 1002 });
    const refund = { orderId: 1002, refundId: 7, amount: 9.9, reason: 'late' };
    const first = await orders.refund(refund);
    expect(first).toMatchObject({ order: id, refundId: '7', amount: 9.9, refundedAmount: 9.9, isNew: true });
    expect(await orders.refund(refund)).toEqual({ ...first, isNew: false });
    expect(await orders.get(1002)).toMatchObject({
      id,
      amount: 49.9,
      paymentStatus: 'PARTIALLY_REFUNDED',
      refunds: [{ refundId: '7', amount: 9.9, reason: 'late' }],
    });
    expect(await orders.get(id)).toEqual(await orders.get('1002'));
    expect(await failure(orders.get('a/b?c#d'))).toMatchObject({ code: 'order_not_found', status: 404 });
    const over = await failure(orders.refund({ orderId: id, refundId: 8, amount: 40.01 }));
    expect(over).toMatchObject({ code: 'invalid_request', issues: [{ path: 'amount' }] });
  });

  test('rejects with the code, status, message, issues and request id of a refusal, and does not repeat it', async ({
    shop,
  }) => {
    const { report, ...backend } = await backendOf(shop);
    const counted = countingFetch();
    const { orders, products } = createClient({ ...backend, fetch: counted.fetch });
    const error = await failure(orders.report({ ...report, amount: -1 }));
    expect(error).toMatchObject({
      name: 'OrderbeaconError',
      code: 'invalid_request',
      status: 400,
      message: 'Invalid: amount. amount must be at least 0.',
      issues: [{ path: 'amount', message: 'must be at least 0' }],
      requestId: expect.stringMatching(/^[\w-]{12,}$/),
    });
    expect(await failure(products.get('none'))).toMatchObject({ code: 'product_not_found', issues: [] });
    expect(counted.calls).toBe(2);
  });

  test('with a key that is none is refused, and with one that cannot be sent is not even made', async ({
    server,
  }) => {
    const client = createClient({ baseUrl: server.url, apiKey: 'ob_live_nonsense' });
    expect(await failure(client.products.get('x'))).toMatchObject({ code: 'invalid_api_key', status: 401 });
    expect(() => createClient({ baseUrl: server.url, apiKey: 'two\nlines' })).toThrow(TypeError);
    expect(() => createClient({ baseUrl: 'shop', apiKey: 'x' })).toThrow(TypeError);
  });

  test('names the option that is missing or wrong', () => {
    const made = (options: object) => () => createClient(options as Parameters<typeof createClient>[0]);
    expect(made({ apiKey: 'x' })).toThrow(
      TypeError('baseUrl must be the URL of the server, such as https://orders.shop.example; it is missing.'),
    );
    expect(made({ baseUrl: 'shop:8787', apiKey: 'x' })).toThrow(/^baseUrl must be .*; it is "shop:8787"\.$/);
    expect(made({ baseUrl: 'http://localhost' })).toThrow(/^apiKey is missing/);
    const having = (option: object) => made({ baseUrl: 'http://localhost', apiKey: 'x', ...option });
    for (const timeoutMs of [NaN, 0, -1, 1.5, Infinity, 2 ** 31])
      expect(having({ timeoutMs })).toThrow(
        TypeError(`timeoutMs must be a whole number from 1 to 2147483647; it is ${timeoutMs}.`),
      );
    for (const retries of [NaN, -1])
      expect(having({ retries })).toThrow(TypeError(`retries must be a number from 0 on; it is ${retries}.`));
    for (const option of [{ timeoutMs: undefined }, { retries: 0 }, { retries: Infinity }])
      expect(having(option)).not.toThrow();
  });
});

describe('an order report that fails on its way', () => {
  test.for([408, 429, 500, 502, 503])(
    'with %i twice is stored once, by one idempotency key',
    async (status, { shop }) => {
      const { report, ...backend } = await backendOf(shop);
      const fault = await startFault(async (at, seen, response) => {
        if (at < 2) return refuse(response, status, { 'retry-after': '0' });
        response.end((await passOn(shop, seen)).text);
      });
      const { orders } = createClient({ ...backend, baseUrl: fault.url });
      expect(await orders.report(report)).toMatchObject({ isNew: true, amount: 49.9 });
      const keys = fault.seen.map(({ headers }) => headers['idempotency-key']);
      expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0], keys[0]]);
      expect(await shop.stored()).toHaveLength(1);
    },
  );

  test.for([{}, { reportId: 'r-1' }, { orderId: 'o-1' }])(
    'after it was stored with %o is not doubled: the answer of the first is lost, the second tells',
    async (ids, { shop }) => {
      const { report, ...backend } = await backendOf(shop);
      const fault = await startFault(async (at, seen, response) => {
        const answer = await passOn(shop, seen);
        if (at === 0) response.destroy();
        else response.end(answer.text);
      });
      const { orders } = createClient({ ...backend, baseUrl: fault.url });
      expect(await orders.report({ ...report, ...ids })).toMatchObject({ isNew: false, amount: 49.9 });
      expect([fault.seen.length, (await shop.stored()).length]).toEqual([2, 1]);
    },
  );

  test('carries no made-up idempotency key beside a reportId, and the key that the caller gave', async () => {
    const fault = await startFault((_at, _seen, response) => accept(response));
    const { orders } = createClient({ baseUrl: fault.url, apiKey: 'x' });
    const report = { teamId: 't', email: 'a@b.example', amount: 1 };
    await orders.report({ ...report, reportId: 'r-1' });
    await orders.report(report, { idempotencyKey: 'mine' });
    expect(fault.seen.map(({ headers }) => headers['idempotency-key'])).toEqual([undefined, 'mine']);
    expect(JSON.parse(fault.seen[0]!.body)).toEqual({ ...report, reportId: 'r-1' });
  });

  test('is given up after the retries that were asked for, with the last answer', async () => {
    const fault = await startFault((_at, _seen, response) => refuse(response, 503, { 'retry-after': '0' }));
    for (const [retries, attempts] of [
      [0, 1],
      [3, 4],
    ] as const) {
      fault.seen.length = 0;
      const { products } = createClient({ baseUrl: fault.url, apiKey: 'x', retries });
      expect(await failure(products.get('x'))).toMatchObject({ code: 'unexpected_answer', status: 503 });
      expect(fault.seen).toHaveLength(attempts);
    }
  });

  test('waits as long as Retry-After says, and gives up immediately where that is an hour', async () => {
    const pauses: unknown[] = [];
    const later = setTimeout;
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms: number) => {
      if (ms === 7000) pauses.push(ms);
      return later(run, ms === 7000 ? 0 : ms);
    }) as typeof setTimeout);
    onTestFinished(() => void vi.restoreAllMocks());
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
    const fault = await startFault((at, _seen, response) =>
      refuse(response, 429, { 'retry-after': at === 0 ? '7.0' : inAnHour }),
    );
    const { products } = createClient({ baseUrl: fault.url, apiKey: 'x', retries: 5 });
    expect(await failure(products.get('x'))).toMatchObject({ status: 429 });
    expect([pauses, fault.seen.length]).toEqual([[7000], 2]);
  });
});

describe('a call without an answer', () => {
  test('rejects with network when nobody listens, after every attempt', async () => {
    const counted = countingFetch();
    const client = createClient({
      baseUrl: `http://127.0.0.1:${await freePort()}`,
      apiKey: 'x',
      retries: 1,
      fetch: counted.fetch,
    });
    const error = await failure(client.products.get('x'));
    expect(error).toMatchObject({ code: 'network', status: null, issues: [], requestId: null });
    expect(error.message).toMatch(/ECONNREFUSED/);
    expect(counted.calls).toBe(2);
  });

  test('says https where the port of a baseUrl with http speaks TLS, itself or behind a proxy', async () => {
    const { key, cert } = await makeCertificate();
    const { port } = await listenForTest(createServer({ key, cert }));
    const ofProxy = await startFault((_at, _seen, response) =>
      response.writeHead(400).end('<center>The plain HTTP request was sent to HTTPS port</center>'),
    );
    const moved = await startFault((_at, _seen, response) =>
      response.writeHead(301, { location: 'https://orders.shop.example/' }).end(),
    );
    for (const baseUrl of [`http://127.0.0.1:${port}`, ofProxy.url, moved.url]) {
      const client = createClient({ baseUrl, apiKey: 'x', retries: 0 });
      expect((await failure(client.products.get('x'))).message).toMatch(/baseUrl .* https:/);
    }
  });

  test('rejects with timeout when the answer does not come, or does not end', async () => {
    const silent = await startFault(() => {});
    const endless = await startFault((_at, _seen, response) => response.write('{'));
    for (const { url } of [silent, endless]) {
      // Counted here, because on a busy machine a request may not have arrived when its time is over.
      const counted = countingFetch();
      const client = createClient({
        baseUrl: url,
        apiKey: 'x',
        timeoutMs: 200,
        retries: 1,
        fetch: counted.fetch,
      });
      expect(await failure(client.products.get('x'))).toMatchObject({ code: 'timeout', status: null });
      expect(counted.calls).toBe(2);
    }
  });

  test.for([
    ['a page of HTML', 200, {}, '<html>'],
    ['JSON of something else', 200, {}, '{"ok":true}'],
    ['an envelope with nothing in it', 200, {}, '{"success":true,"data":null}'],
    ['a redirect', 302, { location: '/elsewhere' }, ''],
    ['an answer of no known shape', 404, { 'x-request-id': 'proxy-7' }, 'null'],
  ] as const)(
    'rejects with unexpected_answer at %s, and asks no second time',
    async ([, status, headers, body]) => {
      const fault = await startFault((_at, _seen, response) => response.writeHead(status, headers).end(body));
      const { products } = createClient({ baseUrl: fault.url, apiKey: 'x' });
      expect(await failure(products.get('x'))).toMatchObject({
        code: 'unexpected_answer',
        status,
        requestId: (headers as Record<string, string>)['x-request-id'] ?? null,
      });
      expect(fault.seen).toHaveLength(1);
    },
  );
});
