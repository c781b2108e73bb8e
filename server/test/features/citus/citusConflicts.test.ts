// @module-tag long
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { issueKey } from '../../../src/core/teams/issueKey.js';
import { hashKey } from '../../../src/core/teams/keys.js';
import { updateLastUse } from '../../../src/core/teams/sql/apiKey.js';
import { createTeam } from '../../../src/core/teams/sql/team.js';
import { addSource, removeSource } from '../../../src/features/sources/setup/addSource.js';
import { newUuid } from '../../../src/values/ids.js';
import { createTestDatabase } from '../../kit/database.js';

const reason = 'ORDERBEACON_TEST_DATABASE_URL names no coordinator of a Citus cluster';

describe.skipIf(!inject('isCitus'))(`on a Citus cluster (skipped where ${reason})`, () => {
  it('keys and sources come and go while servers record when others were used', async () => {
    const { sql, close } = await createTestDatabase();
    onTestFinished(close);
    const teams = Array.from({ length: 3 }, () => newUuid());
    for (const id of teams)
      await createTeam(sql, { id, name: 'Shop', storefrontUrl: 'https://shop.example' });
    const { key } = await issueKey(sql, teams[0]!, { mode: 'live', name: null });
    let isDone = false;
    const using = (async () => {
      // Servers do this, too, and ignore errors, but much less often.
      while (!isDone)
        await updateLastUse(sql, hashKey(key), new Date())
          .catch(() => {})
          .then(() => delay(20));
    })();
    const changing = teams.map(async (team) => {
      for (let n = 0; n < 5; n++) {
        await issueKey(sql, team, { mode: 'live', name: null });
        const source = await addSource(sql, team, { kind: 'stripe', isTest: false, secret: null });
        await removeSource(sql, team, source!.id);
      }
    });
    const outcomes = await Promise.allSettled(changing);
    isDone = true;
    await using;
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
  });
});
