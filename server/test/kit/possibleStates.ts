import { setImmediate as nextTurn } from 'node:timers/promises';

/** Applies one event to a state. Returns the states that it may lead to; none if it cannot happen in this one. */
export type ModelStep<State> = (state: State) => State[];

/**
 * Finds the states that sequences of steps may lead to if they run concurrently, in any order. After every step, equal states
 * are merged. It gives way to other tasks, because the servers that a model checks run in the same process: while it was busy for
 * seconds, their time limits passed.
 */
export async function possibleStates<State>(
  states: State[],
  sequences: ModelStep<State>[][],
): Promise<State[]> {
  let reached = [{ left: sequences, states }];
  for (const _ of sequences.flat()) {
    const next = new Map<string, (typeof reached)[number]>();
    for (const { left, states } of reached) {
      await nextTurn();
      for (const [at, [step, ...rest]] of left.entries()) {
        if (!step) continue;
        const leftThen = left.with(at, rest);
        const lengths = leftThen.map(({ length }) => length).join();
        const others = next.get(lengths)?.states ?? [];
        next.set(lengths, { left: leftThen, states: [...others, ...states.flatMap(step)] });
      }
    }
    reached = [...next.values()].map(({ left, states }) => ({ left, states: distinct(states) }));
  }
  return reached[0]!.states;
}

function distinct<State>(states: State[]): State[] {
  return [...new Map(states.map((state) => [asText(state), state])).values()];
}

/** Writes JSON with sorted fields and lists, so that states are equal in whichever order their parts were stored. */
export function asText(value: unknown): string {
  return JSON.stringify(value, (_, part) => {
    if (Array.isArray(part))
      return [...part].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
