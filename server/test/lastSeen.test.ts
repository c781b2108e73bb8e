import { afterAll, beforeAll, expect, it } from 'vitest';
import { listKeys } from '../src/teams/sql/apiKey.js';
import { listSdkVersions } from '../src/teams/sql/sdkVersions.js';
import { signIn } from './console.js';
import { startTestServer } from './server.js';

let server: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const order = { email: 'ann@buyer.example', amount: 5 };

it('the setup page says when a key was used last, and which versions of the script reported orders', async () => {
  const { uuid, teamId } = await server.addTeam('shop.example');
  const key = await server.addKey(uuid);
  await server.addKey(uuid);
  await server.report({ ...order, teamId, orderId: 'page', sdkVersion: '0.1.0' });
  await server.reportByKey(key, { ...order, teamId, orderId: 'key' });
  const used = async () => (await listKeys(server.sql, uuid)).filter(({ lastUsedAt }) => lastUsedAt);
  // What comes while another is being written is left to its next time.
  await expect
    .poll(async () => {
      await server.reportByKey(key, { ...order, teamId, orderId: 'key' });
      return (await used()).length;
    })
    .toBe(1);
  await expect.poll(async () => (await listSdkVersions(server.sql, uuid)).length).toBe(1);
  const { get } = await signIn(server, teamId);
  const { text } = await get('/console/setup');
  expect(text).toMatch(/<bdi>0\.1\.0<\/bdi> \(last /);
  expect(text.match(/<td>never<\/td>/g)).toHaveLength(1);
});

it('a team keeps 20 versions, whatever a report claims', async () => {
  const { uuid, teamId } = await server.addTeam('shop.example');
  let orders = 0;
  for (let n = 0; n < 25; n++) {
    // What comes while another is being written is left to its next time.
    await expect
      .poll(async () => {
        await server.report({ ...order, teamId, orderId: `o-${orders++}`, sdkVersion: `9.9.${n}` });
        return (await listSdkVersions(server.sql, uuid)).length;
      })
      .toBe(Math.min(20, n + 1));
  }
});

it('versions that were never released hide none that was, and stand behind it', async () => {
  const { uuid, teamId } = await server.addTeam('shop.example');
  await server.sql`
    insert into sdk_seen select ${uuid}::uuid, '9.9.' || n, now() from generate_series(1, 20) n`;
  await server.report({ ...order, teamId, orderId: 'o-1', sdkVersion: '0.1.0' });
  await expect.poll(async () => (await listSdkVersions(server.sql, uuid)).length).toBe(21);
  await server.sql`update sdk_seen set last_seen_at = now() - interval '1 h' where version = '0.1.0'`;
  const { get } = await signIn(server, teamId);
  const versions = [...(await get('/console/setup')).text.matchAll(/<bdi>(\d\.\d\.\d+)<\/bdi> \(last /g)];
  expect(versions.map(([, version]) => version).slice(0, 2)).toEqual([
    '0.1.0',
    expect.stringMatching('9.9.'),
  ]);
});

it('a refused report and an unknown key are not noted', async () => {
  const { uuid, teamId } = await server.addTeam();
  expect((await server.report({ ...order, teamId, orderId: 'o', sdkVersion: '0.1.0' })).status).toBe(403);
  expect(await listSdkVersions(server.sql, uuid)).toHaveLength(0);
});
