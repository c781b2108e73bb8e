import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signIn } from './console.js';
import { startTestServer } from './server.js';

/** Signing keys and the switch on the setup page. */
let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

it('a signing key is made and shown once, the switch refuses unsigned orders, and a revoked key signs no more', async () => {
  const { uuid, teamId } = await server.addTeam('shop.example');
  const browser = await signIn(server, teamId);
  const formToken = await browser.formToken();
  const setup = async () => (await browser.get('/console/setup')).text;
  const signed = (key: string, orderId: string) => {
    const values = [teamId, orderId, 'ann@shop.example', '5', 'USD'].join('\n');
    const signature = createHmac('sha256', key).update(values).digest('hex');
    return server.report({ teamId, orderId, email: 'ann@shop.example', amount: 5, signature });
  };
  const unsigned = { teamId, email: 'ann@shop.example', amount: 1 };
  expect(await setup()).not.toContain('signing-keys/require');

  const made = await browser.post('/console/signing-keys', { formToken, name: '<b>shop</b>' });
  const key = /ob_sign_\w{36}/.exec(made.text)![0];
  expect(made.headers.get('cache-control')).toBe('no-store');
  expect(await setup()).not.toContain(key);
  expect(await setup()).toContain('&lt;b&gt;shop&lt;/b&gt;');
  expect((await signed(key, '1')).status).toBe(200);

  await browser.post('/console/signing-keys/require', { formToken, required: 'yes' });
  expect((await server.report(unsigned)).body.error.code).toBe('signature_required');
  expect(await setup()).toContain('Accept orders that are not signed');
  const refused = async () => (await browser.get('/console/refused')).text;
  expect(await refused()).toContain('the order is not signed');
  expect(await refused()).not.toContain('refused/store');
  await browser.post('/console/signing-keys/require', { formToken, required: 'no' });
  expect(await refused()).toContain('refused/store');
  expect((await server.report(unsigned)).status).toBe(200);

  const id = /value="(sig_\w+)"/.exec(await setup())![1]!;
  await browser.post('/console/signing-keys/revoke', { formToken, key: id });
  expect((await signed(key, '2')).body.error.code).toBe('invalid_signature');
  expect(
    await server.sql`select from signing_key where team_id = ${uuid} and revoked_at is null`,
  ).toHaveLength(0);
});

it('a sixth live key is not made, nor does another team’s key end', async () => {
  const [one, other] = [await server.addTeam(), await server.addTeam()];
  const browser = await signIn(server, one.teamId);
  const formToken = await browser.formToken();
  for (let n = 0; n < 6; n++) await browser.post('/console/signing-keys', { formToken, test: 'yes' });
  const live = (uuid: string) =>
    server.sql`select from signing_key where team_id = ${uuid} and revoked_at is null and is_test`;
  expect(await live(one.uuid)).toHaveLength(5);
  const text = (await browser.get('/console/setup')).text;
  expect(text).toContain('Revoke one before you make another');
  const stranger = await signIn(server, other.teamId);
  const key = /value="(sig_\w+)"/.exec(text)![1]!;
  await stranger.post('/console/signing-keys/revoke', { formToken: await stranger.formToken(), key });
  expect(await live(one.uuid)).toHaveLength(5);
});
