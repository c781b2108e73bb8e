import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { liveThrough } from './world/live';

/**
 * Each run lives through 1,000 worlds that none has seen before. `ORDERBEACON_WORLD_SEED` lives through one again and
 * prints it event by event; `ORDERBEACON_WORLD_FROM` and `ORDERBEACON_WORLD_COUNT` choose which and how many.
 */
const { ORDERBEACON_WORLD_SEED: seed, ORDERBEACON_WORLD_FROM, ORDERBEACON_WORLD_COUNT } = process.env;
const from = Number(seed ?? ORDERBEACON_WORLD_FROM ?? randomInt(2 ** 31));
const count = seed ? 1 : Number(ORDERBEACON_WORLD_COUNT ?? 1_000);
const log = seed ? (what: string) => process.stdout.write(`${what}\n`) : () => {};

// Every world throws some hundred errors, on purpose; their stacks would take time for nothing.
Error.stackTraceLimit = 0;

it(
  `in ${count} simulated worlds each order is stored exactly once, no key of the shop is touched, and requests end`,
  async () => {
    process.stdout.write(`Worlds from seed ${from}\n`);
    for (let each = from; each < from + count; each++) {
      const problems = await liveThrough(each, log).catch((error) => [`${error}`]);
      expect(problems, `Replay with ORDERBEACON_WORLD_SEED=${each}`).toEqual([]);
    }
  },
  Math.max(600_000, count * 60),
);
