import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { liveThrough } from './world/live';

/**
 * Each run lives through 400 worlds that none has seen before, and by night through 5,000. `ORDERBEACON_WORLD_SEED` lives through one again and
 * prints it event by event; `ORDERBEACON_WORLD_FROM` and `ORDERBEACON_WORLD_COUNT` choose which and how many.
 */
const { ORDERBEACON_WORLD_SEED: seed, ORDERBEACON_WORLD_FROM, ORDERBEACON_WORLD_COUNT } = process.env;
const from = Number(seed ?? ORDERBEACON_WORLD_FROM ?? randomInt(2 ** 31));
const runs = seed ? 1 : Number(ORDERBEACON_WORLD_COUNT ?? 400);
const log = seed ? (what: string) => process.stdout.write(`${what}\n`) : () => {};

// Every world throws some hundred errors, on purpose; their stacks would take time for nothing.
Error.stackTraceLimit = 0;

const live = async (count: number) => {
  process.stdout.write(`Worlds from seed ${from}\n`);
  for (let each = from; each < from + count; each++) {
    const problems = await liveThrough(each, log).catch((error) => [`${error}`]);
    expect(problems, `Replay with ORDERBEACON_WORLD_SEED=${each}`).toEqual([]);
  }
};

it(
  `in ${runs} simulated worlds each order is stored exactly once, no key of the shop is touched, and requests end`,
  { timeout: Math.max(60_000, runs * 60) },
  () => live(runs),
);
it('in 5,000 of them', { tags: ['long'] }, () => live(5_000));
