// @module-tag all
import { expect } from 'vitest';
import { runProcess } from '../../kit/process.js';
import { type Shop, test } from '../../kit/shop.js';

/** Compares many rows, nearly all of which are missing, in a small heap. */
async function compareRows(shop: Shop, count: number, heapMb: number) {
  for (const orderId of ['R777', 'extra']) await shop.reportByKey({ orderId, amount: 5, currency: 'EUR' });
  const rows = Array.from({ length: count }, (_, n) => `R${n},5,EUR,p${n}@buyer.example,2026-05-01`);
  const csv = `orderId,amount,currency,email,when\n${rows.join('\n')}\n`;
  const env = { ...shop.server.env, NODE_OPTIONS: `--max-old-space-size=${heapMb}` };
  const args = ['order', 'compare', '--team', shop.teamId, '-', '--json', '--created-at', ''];
  const { code, stdout, stderr } = await runProcess(args, env, csv);
  expect([code, stderr]).toEqual([1, '']);
  const json = JSON.parse(stdout);
  expect(json).toMatchObject({ orders: count, equal: 1, counts: { missing: count - 1, onlyHere: 1 } });
  expect(json.missing).toHaveLength(count - 1);
  expect(json.missing.at(-1)).toMatchObject({ line: count + 1, orderId: `R${count - 1}`, amount: 5 });
}

test('compares 20,000 rows in a heap of 64 MB', ({ shop }) => compareRows(shop, 20_000, 64));

test('compares 1,000,000 rows in a heap of 1 GB', { tags: ['long'] }, ({ shop }) =>
  compareRows(shop, 1_000_000, 1_024),
);
