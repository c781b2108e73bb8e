import { expect, it } from 'vitest';
import { listKeys } from '../src/teams/sql/apiKey.js';
import { signIn } from './console.js';
import { startServerForTest } from './server.js';

it('the setup page says when a key was used last', async () => {
  const server = await startServerForTest();
  const { uuid, teamId } = await server.addTeam();
  const key = await server.addKey(uuid);
  await server.addKey(uuid);
  await server.reportByKey(key, { teamId, email: 'ann@buyer.example', amount: 5, orderId: 'key' });
  const used = async () => (await listKeys(server.sql, uuid)).filter(({ lastUsedAt }) => lastUsedAt);
  await expect.poll(async () => (await used()).length).toBe(1);
  const { get } = await signIn(server, teamId);
  expect((await get('/console/setup')).text.match(/<td>never<\/td>/g)).toHaveLength(1);
});
