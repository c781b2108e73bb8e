// @module-tag all
import { expect, it, onTestFinished } from 'vitest';
import { runChaos } from '../../bench/chaosRun.js';
import { createTestDatabase } from '../kit/database.js';
import { rehearsalProcesses } from '../kit/process.js';

async function survive(seconds: number) {
  const { url, close } = await createTestDatabase();
  onTestFinished(close);
  const result = await runChaos(
    { databaseUrl: url, ...rehearsalProcesses },
    { seconds, seed: 7, writers: 32 },
  );
  expect(result.acknowledged).toBeGreaterThan(0);
  expect(result.merged).toBeGreaterThan(0);
  expect(result.faults.reset + result.faults.resetSome + result.faults.hold).toBeGreaterThan(0);
  expect(result).toMatchObject({ lost: [], doubled: [], unmerged: [], subscriptions: 1, exitCode: 0 });
  expect([...result.answers.wrong, ...result.imports.wrong]).toEqual([]);
}

const survives =
  'of connections that are reset and held lose no order, double none and leave the server sound';

it(`3 s ${survives}`, { tags: ['slow'] }, () => survive(3));

it(`30 s ${survives}`, { tags: ['long'] }, () => survive(30));
