/** Random numbers from a seed. The same seed gives the same simulation. */
export interface Chance {
  /** From 0 to 1. */
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  /** @returns true with a probability */
  is(probability: number): boolean;
  oneOf<T>(choices: readonly T[]): T;
}

/** Creates random numbers by Mulberry32, a public-domain generator by Tommy Ettinger. Its state has 32 bits, like a seed. */
export function createChance(seed: number): Chance {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    is: (probability) => next() < probability,
    oneOf: (choices) => choices[Math.floor(next() * choices.length)]!,
  };
}
