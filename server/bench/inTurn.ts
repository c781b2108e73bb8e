import type { Measured } from './load.js';

/** The result of one measurement. CPU times are per request, null if they cannot be read. */
export interface Costs extends Measured {
  /** CPU time of the answering server. */
  nodeUs: number | null;
  /** CPU time of PostgreSQL. */
  databaseUs: number | null;
}

/** Reads the CPU time so far; null if it cannot be read. */
type ReadCpuMs = () => number | null;

/** Measures once, and the CPU time, too. */
export async function withCosts(
  measure: () => Promise<Measured>,
  nodeCpuMs: ReadCpuMs,
  databaseCpuMs: ReadCpuMs = () => null,
): Promise<Costs> {
  const before = [nodeCpuMs(), databaseCpuMs()];
  const measured = await measure();
  const [nodeUs, databaseUs] = [nodeCpuMs(), databaseCpuMs()].map((now, at) =>
    now === null ? null : ((now - before[at]!) / measured.requests) * 1000,
  );
  return { ...measured, nodeUs: nodeUs!, databaseUs: databaseUs! };
}

/**
 * Measures each in turn, round after round, so that a busy minute of the machine slows them all alike. Returns medians. Of CPU
 * times it returns the least, because other programs on the machine can only add to them.
 */
export async function inTurn<Name extends string>(
  rounds: number,
  measurements: Record<Name, () => Promise<Costs>>,
): Promise<Record<Name, Costs>> {
  const names = Object.keys(measurements) as Name[];
  const all = new Map<Name, Costs[]>(names.map((name) => [name, []]));
  for (let n = 0; n < rounds; n++) for (const name of names) all.get(name)!.push(await measurements[name]());
  return Object.fromEntries([...all].map(([name, list]) => [name, middleOf(list)])) as Record<Name, Costs>;
}

/** Summarizes each figure separately. */
function middleOf(list: Costs[]): Costs {
  const of = (figure: keyof Costs) => median(list.map((costs) => costs[figure] ?? Number.NaN));
  const least = (figure: 'nodeUs' | 'databaseUs') =>
    list[0]![figure] === null ? null : Math.min(...list.map((costs) => costs[figure]!));
  return {
    requests: of('requests'),
    perSecond: of('perSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    nodeUs: least('nodeUs'),
    databaseUs: least('databaseUs'),
  };
}

/** Returns the median. Of an even number of values, it is the higher of the middle two. */
export function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}
