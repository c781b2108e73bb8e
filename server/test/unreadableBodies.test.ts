import { deflateSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { startServerForTest } from './server.js';

it('a byte order mark before the JSON, as .NET writes it, loses no order', async () => {
  const server = await startServerForTest();
  const { uuid, teamId } = await server.addTeam('shop.example');
  const key = await server.addKey(uuid);
  const body = (orderId: string) =>
    `\ufeff${JSON.stringify({ teamId, email: 'ann@buyer.example', amount: 1, orderId })}`;
  expect((await server.report(body('page'))).body.data.isNew).toBe(true);
  expect((await server.reportByKey(key, body('key'))).body.data.isNew).toBe(true);
  expect((await server.report('\ufeff')).body.error.code).toBe('invalid_json');
  expect((await server.report(`\ufeff${body('two')}`)).body.error.code).toBe('invalid_json');
});

it('a body that cannot be read is refused with what to send instead', async () => {
  const server = await startServerForTest();
  const { uuid, teamId } = await server.addTeam('shop.example');
  const key = await server.addKey(uuid);
  const json = JSON.stringify({ teamId, email: 'ann@buyer.example', amount: 1 });
  const refused = async (body: string | Buffer, headers: Record<string, string> = {}) => {
    const answer = await server.reportByKey(key, body, headers);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_json']);
    return answer.body.error.message;
  };
  expect(await refused('')).toBe('The body is empty; send a JSON object.');
  const compressed = /compressed.*Content-Encoding/;
  expect(await refused(gzipSync(json), { 'content-encoding': 'gzip' })).toMatch(compressed);
  expect(await refused(deflateSync(json), { 'content-encoding': 'Deflate' })).toMatch(compressed);
  expect(await refused(Buffer.from(json.replace('ann', 'zoë'), 'latin1'))).toBe(
    'The body is not valid UTF-8.',
  );
  // A header that says so of a plain body does no harm.
  const plain = await server.reportByKey(key, json, { 'content-encoding': 'utf-8' });
  expect(plain.status).toBe(200);
  expect(await server.sql`select from placed_order`).toHaveLength(1);
});
