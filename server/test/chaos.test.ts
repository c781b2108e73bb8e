import { expect, it, onTestFinished } from 'vitest';
import { runChaos } from '../bench/chaosRun.js';
import { createTestDatabase } from './database.js';
import { rehearsalProcesses } from './process.js';

it('10 s of connections that are reset and held lose no order, double none and leave the server sound', async () => {
  const { url, close } = await createTestDatabase();
  onTestFinished(close);
  const result = await runChaos(
    {
      databaseUrl: url,
      ...rehearsalProcesses,
    },
    { seconds: 10, seed: 7, writers: 32 },
  );
  expect(result.acknowledged).toBeGreaterThan(0);
  expect(result.merged).toBeGreaterThan(0);
  expect(result.faults.reset + result.faults.resetSome + result.faults.hold).toBeGreaterThan(0);
  expect(result).toMatchObject({ lost: [], doubled: [], unmerged: [], subscriptions: 1, exitCode: 0 });
  expect([...result.answers.wrong, ...result.imports.wrong]).toEqual([]);
});
