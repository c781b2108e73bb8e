import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { simulate } from './simulation/simulate';

/**
 * Each run has 400 simulations with new seeds; by night it has 5,000. `ORDERBEACON_SIMULATION_SEED` runs one again and prints
 * each event. `ORDERBEACON_SIMULATION_FROM` and `ORDERBEACON_SIMULATION_COUNT` set the first seed and the number.
 */
const {
  ORDERBEACON_SIMULATION_SEED: seed,
  ORDERBEACON_SIMULATION_FROM,
  ORDERBEACON_SIMULATION_COUNT,
} = process.env;
const from = Number(seed ?? ORDERBEACON_SIMULATION_FROM ?? randomInt(2 ** 31));
const runs = seed ? 1 : Number(ORDERBEACON_SIMULATION_COUNT ?? 400);
const log = seed ? (what: string) => process.stdout.write(`${what}\n`) : () => {};

// Every simulation throws some hundred errors on purpose. Their stacks would take time and help nobody.
Error.stackTraceLimit = 0;

const simulateAll = async (count: number) => {
  process.stdout.write(`Simulations from seed ${from}\n`);
  for (let each = from; each < from + count; each++) {
    const problems = await simulate(each, log).catch((error) => [`${error}`]);
    expect(problems, `Replay with ORDERBEACON_SIMULATION_SEED=${each}`).toEqual([]);
  }
};

it(
  `in ${runs} simulations each order is stored exactly once, no key of the shop is touched, and requests end`,
  { timeout: Math.max(60_000, runs * 60) },
  () => simulateAll(runs),
);
it('in 5,000 of them', { tags: ['long'] }, () => simulateAll(5_000));
