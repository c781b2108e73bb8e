import { expect, test } from 'vitest';
import { isUnavailable } from '../../src/database/failures.js';
import { ApiError, DatabaseError } from '../../src/values/errors.js';
import { createTrigger } from '../kit/createTrigger.js';
import { startServerForTest } from '../kit/server.js';
import { openShop } from '../kit/shop.js';

/** SQLSTATEs of each class of PostgreSQL's appendix A, several if a class has different kinds. */
const healed = [
  '03000 08006 08P01 09000 0A000 0B000 0F000 0L000 0P000 0Z000 20000 21000 24000 25000 25006 25P01 25P02 25P03 25P04 26000',
  '27000 28000 28P01 2B000 2D000 2F000 34000 38000 39000 3B000 3D000 3F000 40001 40003 40P01 42501 42601 42703 42704 42883',
  '42P01 42P05 42P18 44000 53000 53100 53200 53300 54000 54001 54023 55000 55006 55P03 55P04 57000 57014 57P01 57P03 58000',
  '58030 58P01 72000 F0000 HV000 P0000 P0001 XX000 XX001 XX002 23503 23505',
].flatMap((line) => line.split(' '));
const wrongData = ['22001', '22003', '22021', '22P02', '22P05', '23502', '23514', '23P01'];

test('every failure of the database but that of wrong data is one to try again', () => {
  const verdict = (code: string) => isUnavailable(Object.assign(new Error(), { code }));
  expect(healed.filter((code) => !verdict(code))).toEqual([]);
  expect(wrongData.filter(verdict)).toEqual([]);
  // Errors that are not the database's.
  for (const error of [new TypeError('x'), new DatabaseError('x'), new ApiError('not_found'), null, 'XX000'])
    expect(isUnavailable(error)).toBe(false);
});

test('a report and an event that the database fails are answered 503 with Retry-After, and 500 for wrong data alone', async () => {
  const server = await startServerForTest();
  const shop = await openShop(server);
  await createTrigger(
    server.sql,
    `create function fail() returns trigger language plpgsql as $$ begin
      if new.order_id is null then return new; end if;
      raise exception 'broken' using errcode = new.order_id; end $$`,
    'create trigger fail before insert on placed_order for each row execute function fail()',
  );
  for (const orderId of ['54000', '25P03', '26000', 'XX001', '42P01', 'P0001', '0A000']) {
    for (const answer of [await shop.report({ orderId }), await shop.reportByKey({ orderId })]) {
      expect([orderId, answer.status, answer.body.error.code]).toEqual([orderId, 503, 'unavailable']);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  }
  expect((await shop.reportByKey({ orderId: '22P02' })).status).toBe(500);
});
