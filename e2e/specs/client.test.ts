import { createClient, OrderbeaconError } from '@orderbeacon/sdk/client';
import { expect, it } from 'vitest';
import { sharedOrderbeacon } from '../harness/shared.ts';

it('the packaged client reads a product, reports an order and rejects with the code of a refusal', async () => {
  const orderbeacon = await sharedOrderbeacon();
  const { id: teamId } = await orderbeacon.command<{ id: string }>('team', 'create', '--name', 'Shop');
  const { key } = await orderbeacon.command<{ key: string }>('key', 'create', '--team', teamId, '--test');
  await orderbeacon.importProducts(teamId, [{ title: 'Tee', slug: 'tee', type: 'EVENT', price: 24.95 }]);

  const client = createClient({ baseUrl: orderbeacon.url, apiKey: key });
  const product = await client.products.get('tee');
  expect(product.type === 'EVENT' && [product.title, product.venue]).toEqual(['Tee', null]);

  const order = await client.orders.report({ teamId, email: 'ann@shop.example', amount: 24.95 });
  const stored = await orderbeacon.orders(teamId);
  expect(stored.map(({ id, amount, source }) => [id, amount, source])).toEqual([[order.id, 24.95, 'MANUAL']]);

  const sequence = { email: 'ann@shop.example', sequenceId: 'seq_none' };
  const refusal = await client.sequences.enroll(sequence).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(OrderbeaconError);
  expect(refusal).toMatchObject({ code: 'sequence_not_found', status: 404 });
});
