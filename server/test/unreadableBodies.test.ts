import { deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { test } from './shop.js';

test('a byte order mark before the JSON, as .NET writes it, loses no order', async ({ shop }) => {
  const body = () => `\ufeff${JSON.stringify(shop.order())}`;
  expect((await shop.report(body())).body.data.isNew).toBe(true);
  expect((await shop.reportByKey(body())).body.data.isNew).toBe(true);
  expect((await shop.report('\ufeff')).body.error.code).toBe('invalid_json');
  expect((await shop.report(`\ufeff${body()}`)).body.error.code).toBe('invalid_json');
});

const json = '{"email":"zoë@buyer.example"}';

test.for<[string, string | Buffer, RegExp, string?]>([
  ['is empty', '', /^The body is empty; send a JSON object\.$/],
  ['is compressed', gzipSync(json), /compressed.*Content-Encoding/, 'gzip'],
  ['is compressed in another way', deflateSync(json), /compressed.*Content-Encoding/, 'Deflate'],
  ['is in Latin-1', Buffer.from(json, 'latin1'), /^The body is not valid UTF-8\.$/],
])('a body that %s is refused with what to send instead', async ([, body, message, encoding], { shop }) => {
  const answer = await shop.reportByKey(body, { headers: encoding ? { 'content-encoding': encoding } : {} });
  expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_json']);
  expect(answer.body.error.message).toMatch(message);
  expect(await shop.stored()).toEqual([]);
});

test('a header that calls a plain body encoded does no harm', async ({ shop }) => {
  const { status } = await shop.reportByKey({}, { headers: { 'content-encoding': 'utf-8' } });
  expect([status, (await shop.stored()).length]).toEqual([200, 1]);
});
