import { expect, test } from 'vitest';
import { createTeamRounds } from '../../../src/core/teams/teamRounds.js';
import { newUuid } from '../../../src/values/ids.js';

test('a team whose work fails holds up no other and no hourly work, and is due again in the next round', async () => {
  const [broken, whole] = [newUuid(), newUuid()];
  const done: unknown[] = [];
  let isBroken = true;
  const { round } = createTeamRounds({
    listTeams: async () => [{ teamId: broken }, { teamId: whole }],
    async settle(teamId) {
      if (teamId === broken && isBroken) throw new Error('locked');
      done.push(teamId);
    },
    async hourly(hour) {
      done.push(`hour ${hour}`);
    },
  });
  await expect(round()).rejects.toThrow('locked');
  expect(done).toEqual([whole, 'hour 0']);
  isBroken = false;
  await round();
  expect(done.slice(2)).toEqual([broken]);
});

test('while the teams cannot be listed, each round tries again', async () => {
  const done: unknown[] = [];
  let isAway = true;
  const { round } = createTeamRounds({
    async listTeams() {
      if (isAway) throw new Error('away');
      return [];
    },
    settle: async () => {},
    hourly: async (hour) => void done.push(hour),
  });
  await expect(round()).rejects.toThrow('away');
  isAway = false;
  await round();
  expect(done).toEqual([0]);
});
