import { describe, expect, test } from 'vitest';
import { readAnswer, readRetryAfter } from '../src/answer';

const reportId = 'orderbeacon:mine';
const read = (status: number, answer: unknown, retryAfter: string | null = null) =>
  readAnswer(reportId, status, answer, retryAfter);
const refusal = (code: string, more: object = { reportId }) => {
  return { success: false, error: { code, message: 'No.' }, requestId: 'r1', ...more };
};

test('an order was stored', () => {
  const order = { id: 'ord_1', orderNumber: 'ORD-1', reportId };
  expect(read(200, { success: true, data: order })).toEqual([0, { status: 'delivered', order }]);
});

test.each([
  [200, { success: true, data: { id: 7 } }],
  [200, { ok: true }],
  [200, []],
  [200, 'welcome'],
  [404, { message: 'not found' }],
  [403, { error: { code: 'forbidden', message: 'firewall' } }],
  [403, { error: 'forbidden', requestId: '' }],
  // An answer of Spring, which many gateways use.
  [400, { path: '/svc-api/v1/orders', status: 400, error: 'Bad Request', requestId: '7bd0b1f1-1' }],
  [413, { success: false, error: { message: 'Too large' }, requestId: 'r1' }],
  [401, {}],
  // Answers of a service worker to another order, or to an unnamed one.
  [200, { success: true, data: { id: 'ord_1', orderNumber: 'ORD-1', reportId: 'orderbeacon:other' } }],
  [200, { success: true, data: { id: 'ord_1', orderNumber: 'ORD-1' } }],
  [400, refusal('invalid_request', { reportId: 'orderbeacon:other' })],
  [409, refusal('order_conflict', {})],
  [403, refusal('domain_not_allowed', { reportId: 'orderbeacon:other' })],
  // A program that sends back the report.
  [200, { reportId, teamId: 'team_1', email: 'ann@shop.example' }],
])('%i %j is not Orderbeacon’s to this report, and no answer', (status, answer) => {
  expect(read(status, answer)).toEqual([0]);
});

test.each([
  [400, 'invalid_request'],
  [409, 'order_conflict'],
  [413, 'payload_too_large'],
])('%i %s is final: the server has kept the report', (status, code) => {
  const { error } = refusal(code);
  expect(read(status, refusal(code))).toEqual([0, { status: 'refused', error }]);
});

test.each([
  [403, 'domain_not_allowed'],
  [403, 'origin_required'],
])('%i %s can be fixed: the report is sent again after an hour', (status, code) => {
  const { error } = refusal(code);
  expect(read(status, refusal(code))).toEqual([3_600_000, { status: 'refused', error }]);
});

test.each([
  [429, 'rate_limited'],
  [503, 'unavailable'],
  [500, 'internal'],
  [405, 'method_not_allowed'],
  // A gateway with the server's form of errors.
  [400, 'bad_request'],
  // An answer about a key that a proxy has added.
  [401, 'invalid_api_key'],
  // The SDK writes valid JSON, so something on the way has damaged it.
  [400, 'invalid_json'],
])('%i %s is temporary: the report is sent again after Retry-After', (status, code) => {
  expect(read(status, refusal(code, {}), '7')).toEqual([7000]);
  expect(read(status, refusal(code))).toEqual([0]);
});

test.each([undefined, null, 'busy', []])(
  'a proxy’s 503 of %j, which is no JSON of ours, may ask for time',
  (answer) => {
    expect(read(503, answer, '120')).toEqual([120_000]);
    expect(read(503, answer)).toEqual([0]);
  },
);

describe('Retry-After', () => {
  test.each([
    ['7', 7000],
    ['0.5', 500],
    ['-1', 0],
    ['3600', 3_600_000],
    ['86400', 3_600_000],
    ['1e999', 3_600_000],
    ['0', 0],
    ['Wed, 01 Jan 2025 00:00:30 GMT', 0],
    ['soon', 0],
    ['', 0],
    [null, 0],
  ])('%j is %s ms', (header, ms) => {
    expect(readRetryAfter(header)).toBe(ms);
  });
});
