import { setImmediate as nextTurn } from 'node:timers/promises';

/** Applies one event to a world; returns the worlds it may lead to, none where it cannot have happened in this one. */
export type ModelStep<World> = (world: World) => World[];

/**
 * Finds the worlds that sequences of steps may lead to when they run concurrently, whichever of them comes first. Equal
 * worlds are kept once after every step, and the process takes turns: the servers that a model judges run in it, and
 * while it was busy for seconds their time limits passed.
 */
export async function possibleWorlds<World>(
  worlds: World[],
  sequences: ModelStep<World>[][],
): Promise<World[]> {
  let reached = [{ left: sequences, worlds }];
  for (const _ of sequences.flat()) {
    const next = new Map<string, (typeof reached)[number]>();
    for (const { left, worlds } of reached) {
      await nextTurn();
      for (const [at, [step, ...rest]] of left.entries()) {
        if (!step) continue;
        const leftThen = left.with(at, rest);
        const lengths = leftThen.map(({ length }) => length).join();
        const others = next.get(lengths)?.worlds ?? [];
        next.set(lengths, { left: leftThen, worlds: [...others, ...worlds.flatMap(step)] });
      }
    }
    reached = [...next.values()].map(({ left, worlds }) => ({ left, worlds: distinct(worlds) }));
  }
  return reached[0]!.worlds;
}

function distinct<World>(worlds: World[]): World[] {
  return [...new Map(worlds.map((world) => [asText(world), world])).values()];
}

/** JSON with sorted fields and lists: worlds are equal in whichever order their parts were stored. */
export function asText(value: unknown): string {
  return JSON.stringify(value, (_, part) => {
    if (Array.isArray(part))
      return [...part].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
