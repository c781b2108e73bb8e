import { describe, expect, test } from 'vitest';
import { readAnswer, readRetryAfter } from '../src/answer';

const read = (status: number, answer: unknown, retryAfter: string | null = null) =>
  readAnswer(status, answer, retryAfter);
const refusal = (code: string) => ({ success: false, error: { code, message: 'No.' }, requestId: 'r1' });

test('an order was stored', () => {
  const order = { id: 'ord_1', orderNumber: 'ORD-1' };
  expect(read(200, { success: true, data: order })).toEqual([{ status: 'delivered', order }]);
});

test.each([
  [200, { success: true, data: { id: 7 } }],
  [200, { ok: true }],
  [200, []],
  [200, 'welcome'],
  [404, { message: 'not found' }],
  [403, { error: { code: 'forbidden', message: 'firewall' } }],
  [403, { error: 'forbidden', requestId: '' }],
  // Spring, which many gateways use.
  [400, { path: '/svc-api/v1/orders', status: 400, error: 'Bad Request', requestId: '7bd0b1f1-1' }],
  [413, { success: false, error: { message: 'Too large' }, requestId: 'r1' }],
  // Gateways that speak much like the server.
  [400, { success: true, error: { code: 'invalid_request', message: 'No.' }, requestId: 'r1' }],
  [400, { error: { code: 'invalid_request', message: 'No.' }, requestId: 'r1' }],
  [401, {}],
])('%i %j is not Orderbeacon’s, and no answer', (status, answer) => {
  expect(read(status, answer)).toEqual([{ status: 'pending' }]);
});

test.each([
  [400, 'invalid_request'],
  [409, 'order_conflict'],
  [413, 'payload_too_large'],
])('%i %s is final: the server has kept the report', (status, code) => {
  const { error } = refusal(code);
  expect(read(status, refusal(code))).toEqual([{ status: 'refused', error }]);
});

test.each([
  [403, 'domain_not_allowed'],
  [403, 'origin_required'],
  [401, 'invalid_api_key'],
])('%i %s can be fixed: the report is sent again after an hour', (status, code) => {
  const { error } = refusal(code);
  expect(read(status, refusal(code))).toEqual([{ status: 'refused', error }, 3_600_000]);
});

test.each([
  [429, 'rate_limited'],
  [503, 'unavailable'],
  [500, 'internal'],
  [405, 'method_not_allowed'],
  // A gateway that speaks like the server.
  [400, 'bad_request'],
  // The SDK writes valid JSON, so something on the way has damaged it.
  [400, 'invalid_json'],
])('%i %s is temporary: the report is sent again after Retry-After', (status, code) => {
  expect(read(status, refusal(code), '7')).toEqual([{ status: 'pending' }, 7000]);
  expect(read(status, refusal(code))).toEqual([{ status: 'pending' }, undefined]);
});

describe('Retry-After', () => {
  test.each([
    ['7', 7000],
    ['0.5', 1000],
    ['-1', 1000],
    ['3600', 3_600_000],
    ['86400', 3_600_000],
    ['1e999', 3_600_000],
    ['0', undefined],
    ['Wed, 01 Jan 2025 00:00:30 GMT', undefined],
    ['soon', undefined],
    ['', undefined],
    [null, undefined],
  ])('%j is %s ms', (header, ms) => {
    expect(readRetryAfter(header)).toBe(ms);
  });
});
