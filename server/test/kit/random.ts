/** Makes random choices that are the same for the same seed (mulberry32). */
export function createRandom(seed: number) {
  let state = seed | 0;
  /** Returns a number from 0 to below 1. */
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  /** Returns a whole number from 0 to below the bound. */
  const below = (bound: number) => Math.floor(next() * bound);
  const pick = <T>(...values: T[]) => values[below(values.length)]!;
  return { next, below, pick };
}

export type Random = ReturnType<typeof createRandom>;
