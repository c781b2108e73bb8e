import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import { test } from './shop.js';

test('a signing key is made and shown once, the switch refuses unsigned orders, and a revoked key signs no more', async ({
  shop,
}) => {
  const { teamId, report } = shop;
  const { get, submit } = await shop.console();
  const page = async (path: string) => (await get(`/console${path}`)).text;
  const signed = (key: string) => {
    const order = shop.order({ amount: 5 });
    const values = [teamId, order.orderId, order.email, '5', 'USD'].join('\n');
    return report({ ...order, signature: createHmac('sha256', key).update(values).digest('hex') });
  };
  expect(await page('/setup')).not.toContain('signing-keys/require');

  const made = await submit('/console/signing-keys', {});
  const key = /ob_sign_\w{36}/.exec(made.text)![0];
  expect(made.headers.get('cache-control')).toBe('no-store');
  expect(await page('/setup')).not.toContain(key);
  expect((await signed(key)).status).toBe(200);

  await submit('/console/signing-keys/require', { required: 'yes' });
  expect((await report()).body.error.code).toBe('signature_required');
  expect(await page('/refused')).toContain('the order is not signed');
  expect(await page('/refused')).not.toContain('refused/store');
  await submit('/console/signing-keys/require', { required: 'no' });
  expect(await page('/refused')).toContain('refused/store');
  expect((await report()).status).toBe(200);

  const id = /value="(sig_\w+)"/.exec(await page('/setup'))![1]!;
  await submit('/console/signing-keys/revoke', { key: id });
  expect((await signed(key)).body.error.code).toBe('invalid_signature');
});
