import { existsSync, readFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

const shown = 20;
/** Linux counts CPU time in hundredths of a second. */
const ticksPerSecond = 100;

/** Prints the slowest files of a run of many, and the time that the run took. */
export default class Slowest implements Reporter {
  #startedMs = performance.now();

  onTestRunEnd(modules: readonly TestModule[]) {
    if (modules.length <= shown) return;
    const files = modules.map((module) => {
      const { collectDuration, duration } = module.diagnostic();
      return { ms: collectDuration + duration, name: `${module.project.name} ${module.relativeModuleId}` };
    });
    const lines = files
      .sort((one, other) => other.ms - one.ms)
      .slice(0, shown)
      .map(({ ms, name }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${name}`);
    const wall = `${((performance.now() - this.#startedMs) / 1000).toFixed(0)} s`;
    const cpu = cpuSeconds();
    process.stdout.write(`\nSlowest of ${files.length} files:\n${lines.join('\n')}\n`);
    process.stdout.write(`The run took ${wall}${cpu === null ? '' : ` and ${cpu} s of CPU`}.\n`);
  }
}

/** CPU time of this process and of its descendants that have ended. A database that outlives its starter is missing. */
function cpuSeconds(): number | null {
  if (!existsSync('/proc/self/stat')) return null;
  // The fields after the name, which may contain spaces: 14 to 17 of `man proc_pid_stat` are the times.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return Math.round(ticks / ticksPerSecond);
}
