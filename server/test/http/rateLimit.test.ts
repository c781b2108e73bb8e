import type { IncomingMessage } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  clientBucket,
  createClientOf,
  createLimitRate,
  createRateLimiter,
} from '../../src/http/rateLimit.js';
import { clientAddress, type TrustedProxies, trustOf } from '../../src/http/trustedProxies.js';
import { collectGarbage } from '../kit/collectGarbage.js';
import { startServerForTest } from '../kit/server.js';
import { openShop } from '../kit/shop.js';
import { stopClock } from '../kit/stopClock.js';

describe('a client address', () => {
  it('may send a minute’s worth in a burst, then one at a time as time passes', () => {
    let nowMs = 1_000_000;
    const limit = createRateLimiter(6, () => nowMs);
    const burst = Array.from({ length: 8 }, () => limit('a').isAllowed);
    expect(burst).toEqual([true, true, true, true, true, true, false, false]);
    expect(limit('a').retryAfterMs).toBe(10_000);
    nowMs += 9_999;
    expect(limit('a').isAllowed).toBe(false);
    nowMs += 1;
    expect(limit('a').isAllowed).toBe(true);
    expect(limit('a').isAllowed).toBe(false);
    nowMs += 60_000;
    expect(limit('a')).toEqual({ isAllowed: true, retryAfterMs: 0, remaining: 5, resetMs: 10_000 });
  });

  it('is not kept out when somebody sets the clock back', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    vi.setSystemTime('2026-05-01T12:00:00Z');
    const limit = createRateLimiter(6);
    for (let n = 0; n < 3; n++) limit('a');
    vi.setSystemTime('2026-05-01T11:00:00Z');
    expect(limit('a')).toMatchObject({ isAllowed: true, remaining: 2 });
  });

  it('that floods does not keep another one out', () => {
    const limit = createRateLimiter(6, () => 0);
    for (let n = 0; n < 1000; n++) limit('flood');
    expect(limit('other').isAllowed).toBe(true);
  });

  it('is forgotten when too many others came since, so that memory is bounded', () => {
    const limit = createRateLimiter(1, () => 0);
    limit('first');
    expect(limit('first').isAllowed).toBe(false);
    for (let n = 0; n < 100_000; n++) limit(`client${n}`);
    expect(limit('first').isAllowed).toBe(true);
  });

  it('of 1,600 browsers that each bring 5 orders back after an outage is heard in full within 21 s', {
    tags: ['all'],
  }, () => {
    let nowMs = 0;
    const limit = createRateLimiter(6_000, () => nowMs);
    let waiting = 1_600 * 5;
    const answeredMs: number[] = [];
    // All refused reports come back after their Retry-After, which has whole seconds, and therefore concurrently.
    while (waiting > 0 && nowMs < 60_000) {
      let waitSeconds = 0;
      for (let n = waiting; n > 0; n--) {
        const { isAllowed, retryAfterMs } = limit('office');
        if (isAllowed) waiting--;
        else waitSeconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
        if (isAllowed) answeredMs.push(nowMs);
      }
      nowMs += waitSeconds * 1000;
    }
    expect(answeredMs.filter((ms) => ms === 0)).toHaveLength(6_000);
    expect(waiting).toBe(0);
    expect(answeredMs.at(-1)).toBeLessThan(21_000);
  });

  it('is remembered without the header that it came in, whatever stands there, so that memory is bounded', {
    tags: ['all'],
  }, () => {
    const count = createLimitRate(6_000, createClientOf(1));
    const socket = { remoteAddress: '10.0.0.1' };
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    // So many clients that other memory which this process frees, some 100 KB, is a byte of each.
    const clients = 100_000;
    for (let n = 0; n < clients; n++) {
      const padding = 'x'.repeat(500);
      const header = n % 2 ? `${padding}, 2001:db8:0:${n.toString(16)}::1` : `${n}-${padding}`;
      const headers = { 'x-forwarded-for': Buffer.from(header).toString() };
      count({ incoming: { headers, socket } as unknown as IncomingMessage, headers: {} }, 'orders');
    }
    collectGarbage();
    const bytesEach = (process.memoryUsage().heapUsed - before) / clients;
    expect(bytesEach).toBeGreaterThan(10);
    expect(bytesEach).toBeLessThan(300);
    count({ incoming: { headers: {}, socket } as unknown as IncomingMessage, headers: {} }, 'orders');
  });

  it.each([
    ['9.9.9.9', '1.1.1.1, 2.2.2.2', 0, '9.9.9.9'],
    ['9.9.9.9', undefined, 1, '9.9.9.9'],
    ['9.9.9.9', '1.1.1.1, 2.2.2.2', 1, '2.2.2.2'],
    ['9.9.9.9', '1.1.1.1, 2.2.2.2', 2, '1.1.1.1'],
    ['9.9.9.9', '2.2.2.2', 2, '2.2.2.2'],
    // By addresses: the first from the right that is not a proxy's.
    ['9.9.9.9', '1.1.1.1', ['10.0.0.0/8'], '9.9.9.9'],
    ['10.1.2.3', '6.6.6.6, 1.1.1.1', ['10.0.0.0/8', '8.8.8.8'], '1.1.1.1'],
    ['10.1.2.3', '6.6.6.6, 1.1.1.1, 8.8.8.8', ['10.0.0.0/8', '8.8.8.8'], '1.1.1.1'],
    ['::ffff:127.0.0.1', '2001:db8::7, [2001:db8:1::1]:443', ['127.0.0.1', '2001:db8:1::/48'], '2001:db8::7'],
    ['127.0.0.1', '127.0.0.1, 127.0.0.1', ['127.0.0.1'], '127.0.0.1'],
    ['127.0.0.1', undefined, ['127.0.0.1'], '127.0.0.1'],
    ['127.0.0.1', 'nonsense', ['127.0.0.1'], 'nonsense'],
  ])(
    'behind %s with X-Forwarded-For %s and %s as trusted proxies is %4$s',
    (socket, header, trusted, expected) => {
      expect(clientAddress(socket, header, trustOf(trusted as TrustedProxies))).toBe(expected);
    },
  );

  it.each([
    ['1.2.3.4', '1.2.3.4'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::9', '2001:db8:1:2'],
    ['2001:db8::9', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['1.2.3.4:56789', '1.2.3.4'],
    ['[2001:db8:1:2::9]:443', '2001:db8:1:2'],
    ['[::ffff:1.2.3.4]', '1.2.3.4'],
  ])('%s is counted as %s', (address, bucket) => {
    expect(clientBucket(address)).toBe(bucket);
  });
});

it('a report over the limit is refused with 429, Retry-After and CORS, one with a key is not', async () => {
  const env = { ORDERBEACON_RATE_LIMIT: '3', ORDERBEACON_TRUST_PROXY: '1' };
  const shop = await openShop(await startServerForTest({ env }));
  await shop.liveKey();
  stopClock();
  const answers = [];
  for (let n = 0; n < 4; n++) answers.push(await shop.report({}, { 'x-forwarded-for': 'forged, 5.5.5.5' }));
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 429]);
  // A third is left, then nothing. The header is sent only if less than a fifth is left.
  expect(answers.map((answer) => answer.headers.get('ratelimit'))).toEqual([
    null,
    null,
    '"orders";r=0;t=60',
    '"orders";r=0;t=60',
  ]);
  const { headers, body } = answers[3]!;
  expect(body.error.code).toBe('rate_limited');
  expect(Number(headers.get('retry-after'))).toBe(20);
  expect(headers.get('ratelimit-policy')).toBe('"orders";q=3;w=60');
  expect(headers.get('access-control-allow-origin')).toBe(shop.origin);
  expect(headers.get('access-control-expose-headers')).toBe('Retry-After');
  expect((await shop.report({}, { 'x-forwarded-for': '6.6.6.6' })).status).toBe(200);
  expect((await shop.reportByKey({}, { headers: { 'x-forwarded-for': '5.5.5.5' } })).status).toBe(200);
});
