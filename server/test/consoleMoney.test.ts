import { expect, it } from 'vitest';
import { encodeId } from '../src/values/ids.js';
import { signIn } from './console.js';
import { waitingOf } from './refused.js';
import { startServerForTest } from './server.js';

it.each([
  ['BHD', [1.234, 0.001], 'BHD 1.235'],
  ['USDC', [0.000125, 0.1, 0.2], '0.300125 USDC'],
  ['USD', [0.1, 0.2, 1e12], '$1,000,000,000,000.30'],
])('the money in %s by time is to the digit that of its orders', async (currency, amounts, sum) => {
  const server = await startServerForTest();
  const { teamId } = await server.addTeam('shop.example');
  for (const [n, amount] of amounts.entries()) {
    await server.report({ teamId, email: 'ann@buyer.example', amount, currency, orderId: `o-${n}` });
  }
  const console = await signIn(server, teamId);
  const { text } = await console.get(`/console?range=30d&show=${currency}`);
  const cells = [...text.matchAll(/<td class="number"[^>]*>([^<]*)</g)].map(([, cell]) =>
    cell!.replace(/\s/g, ' '),
  );
  // The page's orders of that day, and all together.
  expect(cells.filter((cell) => cell === sum)).toHaveLength(2);
  expect(text.replace(/\s/g, ' ')).toContain(`<dd>${sum}</dd>`);
});

it.each(['12345678901234567890', '0.12345678901234567890', '9007199254740993'])(
  'the corrected amount %s, which a number cannot keep to the digit, is refused by name and not rounded',
  async (amount) => {
    const server = await startServerForTest();
    const { uuid, teamId } = await server.addTeam('shop.example');
    await server.report({ teamId, email: 'ann@buyer.example', amount: 'much', orderId: 'o-1' });
    const [entry] = await waitingOf(server.sql, uuid);
    const console = await signIn(server, teamId);
    const fields = { formToken: await console.formToken(), id: encodeId('ref', entry!.id), amount };
    const refused = await console.post('/console/refused/correct', fields);
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringMatching(/amount.*15 significant digits/s),
    ]);
    expect(refused.text).toContain(`value="${amount}"`);
    expect(await server.sql`select from placed_order`).toEqual([]);
    await console.post('/console/refused/correct', { ...fields, amount: '123456789012.345' });
    expect(await server.sql`select amount from placed_order`).toEqual([{ amount: '123456789012.345' }]);
  },
);
