import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { connect } from '../src/database/connection/connect.js';
import { createTestDatabase } from './database.js';
import { startDatabaseProxy } from './databaseProxy.js';

const database = await createTestDatabase();
afterAll(() => database.close());

it('the answers of one connection keep their order when a slow network becomes fast', async () => {
  const proxy = await startDatabaseProxy(database.url);
  const sql = connect(proxy.url, 1);
  const ask = async (n: number) => (await sql`select ${n}::int as n`)[0]!.n;
  await ask(0);
  proxy.set({ kind: 'slow', delayMs: 300 });
  const first = ask(1);
  await delay(100);
  proxy.set({ kind: 'none' });
  expect(await Promise.all([first, ask(2)])).toEqual([1, 2]);
  await sql.end();
  await proxy.close();
});
