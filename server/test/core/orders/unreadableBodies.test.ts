import { deflateSync, gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { test } from '../../kit/shop.js';

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

test.for([
  ['{"amount":NaN}', 'line 1, column 11: NaN is no JSON'],
  ['{"amount":-Infinity}', 'line 1, column 11: -Infinity is no JSON'],
  ['{"name":undefined}', 'line 1, column 9: undefined is no JSON'],
  ['{"paid":True}', 'line 1, column 9: True is no JSON'],
  [`{'amount':1}`, "line 1, column 2: ' is no JSON"],
  ['{\n  "amount": 1,\n}', 'line 3, column 1: there is a comma before the }'],
  ['{"items":[1,]}', 'line 1, column 13: there is a comma before the ]'],
  ['{"amount":1', 'line 1, column 12: it ends too early'],
  ['{"amount":', 'line 1, column 11: it ends too early'],
  ['{"amount":1 "name":"Ann"}', 'line 1, column 13'],
  ['{"amount":01}', 'line 1, column 11'],
  ['{"name":"Ann\n"}', 'line 1, column 9'],
  ['{"amount":1}}', 'line 1, column 13'],
  ['amount=1', 'line 1, column 1'],
])('a body that is no JSON is refused with the place: %s', async ([body, where], { shop }) => {
  const answer = await shop.report(body);
  expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_json']);
  expect(answer.body.error.message).toBe(`The body is not valid JSON at ${where}.`);
});
