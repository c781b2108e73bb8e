import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { tryFaults } from './faults.js';
import { tryFloods } from './flood.js';
import { measureMerge } from './merge.js';
import { type BenchOptions, readOptions } from './options.js';
import { runSoak } from './soak.js';
import { measureSpeed } from './speed.js';
import { notify } from './table.js';
import { createVerdict, type Verdict } from './verdict.js';

/**
 * Scenarios of `npm run bench -- [SCENARIO] [PART…] [--against DIR] [--json FILE]`. `--json` appends one line of JSON with the
 * figures. The bench ends with 1 if a promise is broken, or if a ratio to `--against` is below 0.9.
 */
const scenarios: Record<string, (options: BenchOptions, verdict: Verdict) => Promise<void>> = {
  speed: measureSpeed,
  merge: measureMerge,
  flood: tryFloods,
  faults: tryFaults,
  soak: runSoak,
};

const { scenario, options } = readOptions(process.argv.slice(2));
const run = scenarios[scenario];
if (!run)
  throw new Error(`There is no scenario ${scenario}. There are: ${Object.keys(scenarios).join(', ')}.`);
const verdict = createVerdict();
await run(options, verdict);

const { figures, broken } = verdict;
if (options.json) {
  const { parts, against } = options;
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const machine = `${cpus().length} × ${cpus()[0]!.model}, Node ${process.version}`;
  const line = { at: new Date().toISOString(), commit, machine, scenario, parts, against, figures, broken };
  appendFileSync(options.json, `${JSON.stringify(line)}\n`);
}
if (broken.length > 0) notify(`\n${broken.length} broken`);
process.exitCode = broken.length > 0 ? 1 : 0;
