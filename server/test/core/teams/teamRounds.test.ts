import { expect, test } from 'vitest';
import { createTeamRounds } from '../../../src/core/teams/teamRounds.js';
import { newUuid } from '../../../src/values/ids.js';

test('a team whose work fails holds up no other and no hourly work, and is due again in the next round', async () => {
  const [broken, whole] = [newUuid(), newUuid()];
  const done: unknown[] = [];
  let isBroken = true;
  const { round } = createTeamRounds({
    listTeams: async () => ({ rows: [{ teamId: broken }, { teamId: whole }], missing: [] }),
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
      return { rows: [], missing: [] };
    },
    settle: async () => {},
    hourly: async (hour) => void done.push(hour),
  });
  await expect(round()).rejects.toThrow('away');
  isAway = false;
  await round();
  expect(done).toEqual([0]);
});

test('while the list of teams is not whole, each round works on those that are listed, and asks for the others', async () => {
  const [listed, missing] = [newUuid(), newUuid()];
  const answers = [
    { rows: [{ teamId: listed }], missing: [missing] },
    { rows: [{ teamId: listed }, { teamId: missing }], missing: [] },
  ];
  const done: unknown[] = [];
  const { round } = createTeamRounds({
    listTeams: async () => answers.shift()!,
    settle: async (teamId) => void done.push(teamId),
    hourly: async (hour) => void done.push(hour),
  });
  await round();
  expect(done).toEqual([listed, 0]);
  await round();
  await round();
  expect(done).toEqual([listed, 0, listed, missing]);
});
