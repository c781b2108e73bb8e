import { expect } from 'vitest';
import { listKeys } from '../../../src/core/teams/sql/apiKey.js';
import { test } from '../../kit/shop.js';

test('the setup page says when a key was used last', async ({ shop }) => {
  await shop.server.addKey(shop.team);
  await shop.reportByKey();
  const used = async () => (await listKeys(shop.sql, shop.team)).filter(({ lastUsedAt }) => lastUsedAt);
  await expect.poll(async () => (await used()).length).toBe(1);
  const { get } = await shop.console();
  expect((await get('/console/setup/keys')).text.match(/>never<\/td>/g)).toHaveLength(1);
});
