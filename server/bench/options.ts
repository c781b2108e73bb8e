import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** What the command line says. */
export interface BenchOptions {
  /** The parts of the scenario that are named; none: those that it has by default. */
  parts: string[];
  /** The root of another built checkout to compare with. */
  against: string | null;
  /** The file that gets a line of JSON. */
  json: string | null;
  rounds: number;
  /** Length of a measurement, a flood or a run; undefined: the scenario's own. */
  seconds: number | undefined;
  connections: number[];
  /** Decides when and how faults happen. */
  seed: number;
}

/** Reads the command line: the scenario, its parts, and options. */
export function readOptions(args: string[]): { scenario: string; options: BenchOptions } {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      against: { type: 'string' },
      json: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string' },
      connections: { type: 'string', default: '1,64,256' },
      seed: { type: 'string', default: '1' },
    },
  });
  const [scenario = 'speed', ...parts] = positionals;
  // As the caller wrote it; npm has changed the folder.
  const pathOf = (path: string | undefined) =>
    path === undefined ? null : resolve(process.env.INIT_CWD ?? '.', path);
  const options = {
    parts,
    against: pathOf(values.against),
    json: pathOf(values.json),
    rounds: Number(values.rounds),
    seconds: values.seconds === undefined ? undefined : Number(values.seconds),
    connections: values.connections.split(',').map(Number),
    seed: Number(values.seed),
  };
  return { scenario, options };
}
