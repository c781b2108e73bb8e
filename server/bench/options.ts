import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** Options of the command line. */
export interface BenchOptions {
  /** Named parts of the scenario. If empty, the default parts run. */
  parts: string[];
  /** Root of another built checkout to compare with; null for none. */
  against: string | null;
  /** Path of the file to which a line of JSON is appended; null for none. */
  json: string | null;
  rounds: number;
  /** Length of a measurement, a flood or a run; undefined for the scenario's default. */
  seconds: number | undefined;
  connections: number[];
  /** Seed of the times and kinds of faults. */
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
  // Relative to the caller's folder, because npm has changed the folder.
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
