import { createRequire } from 'node:module';
import type { WebhookEvent } from '@orderbeacon/sdk/contract';
import { expect, it, vi } from 'vitest';
import { createSequence } from '../src/people/sql/sequence.js';
import { createOpenApi } from '../src/site/openapi/document.js';
import { encodeId, newUuid } from '../src/values/ids.js';
import { addTestHook, testHookSecret } from './hooks.js';
import { createCheck } from './openapi.js';
import { startReceiver } from './receiver.js';
import { startServerForTest } from './server.js';

const require = createRequire(import.meta.url);
const libraries = ['standardwebhooks', 'svix'].map((library) => {
  const { Webhook } = require(library) as {
    Webhook: new (secret: string) => { verify(body: string, headers: object): unknown };
  };
  return new Webhook(testHookSecret);
});
const document = createOpenApi({
  version: '1.2.3',
  publicUrl: 'https://orders.shop.example',
  demoTeamId: null,
});

it('orders, refunds and enrollments are sent as the document and the types say, and both libraries verify them', async () => {
  const receiver = await startReceiver();
  const server = await startServerForTest();
  const { uuid, teamId } = await server.addTeam('shop.example');
  await addTestHook(server.sql, uuid, { url: receiver.url });
  const key = await server.addKey(uuid);
  const sequence = newUuid();
  await createSequence(server.sql, uuid, { id: sequence, name: 'Welcome' });
  const order = { teamId, email: 'ann@mail.example', orderId: 'a', gift: true };
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answers = [
    await server.report({ ...order, amount: 5, items: [{ sku: 'x', quantity: 2 }] }),
    await server.reportByKey(key, { ...order, amount: 7, name: 'Zoë' }),
    await server.send('POST', '/svc-api/v1/orders/refunds', {
      headers,
      body: JSON.stringify({ orderId: 'a', refundId: 'r', amount: 2 }),
    }),
    await server.enroll(key, { email: order.email, sequenceId: encodeId('seq', sequence) }),
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
