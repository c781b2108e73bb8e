import { createRequire } from 'node:module';
import type { WebhookEvent } from '@orderbeacon/sdk/contract';
import { beforeAll, expect, vi } from 'vitest';
import { createSequence } from '../../../src/core/people/sql/sequence.js';
import type { OpenApi } from '../../../src/features/docs/openapi/document.js';
import { encodeId, newUuid } from '../../../src/values/ids.js';
import { startReceiver } from '../../kit/receiver.js';
import { test } from '../../kit/shop.js';
import { createCheck, readDocument } from '../docs/kit/openapi.js';
import { addTestHook, testHookSecret } from './kit/hooks.js';

const require = createRequire(import.meta.url);
const libraries = ['standardwebhooks', 'svix'].map((library) => {
  const { Webhook } = require(library) as {
    Webhook: new (secret: string) => { verify(body: string, headers: object): unknown };
  };
  return new Webhook(testHookSecret);
});
let document: OpenApi;
beforeAll(async () => {
  document = await readDocument();
});

test('orders, refunds and enrollments are sent as the document and the types say, and both libraries verify them', async ({
  shop,
}) => {
  const receiver = await startReceiver();
  await addTestHook(shop.sql, shop.team, { url: receiver.url });
  const sequence = newUuid();
  await createSequence(shop.sql, shop.team, { id: sequence, name: 'Welcome' });
  const order = { email: 'ann@mail.example', orderId: 'a', gift: true };
  const answers = [
    await shop.report({ ...order, amount: 5, items: [{ sku: 'x', quantity: 2 }] }),
    await shop.reportByKey({ ...order, amount: 7, name: 'Zoë 👕' }),
    await shop.refund({ orderId: 'a', refundId: 'r', amount: 2 }),
    await shop.enroll({ email: order.email, sequenceId: encodeId('seq', sequence) }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(4), { timeout: 60_000, interval: 50 });
  const events = receiver.received.map(({ json }) => json as WebhookEvent);
  const types = ['enrollment.created', 'order.changed', 'order.created', 'order.refunded'];
  expect(events.map(({ type }) => type).sort()).toEqual(types);
  const { complaint } = createCheck(document);
  for (const { headers, body, json } of receiver.received) {
    const { schema } = document.webhooks[json.type]!.post.requestBody.content['application/json'];
    expect(complaint(schema, json)).toBe('');
    for (const library of libraries) expect(library.verify(body, headers)).toEqual(json);
  }
  const enrollment = events.find(({ type }) => type === 'enrollment.created');
  expect(enrollment!.data).toEqual({ ...answers[3]!.body.data, email: order.email });
});
