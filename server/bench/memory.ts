import { readdirSync, readFileSync } from 'node:fs';

/** Returns the memory of a process and its children, of shared pages its share; 0 on systems without `/proc`. */
export function shareOfMemory(pid: number): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const own = pids.filter((each) => Number(each) === pid || parentOf(each) === pid);
  return own.reduce((sum, each) => sum + readKilobytes(`/proc/${each}/smaps_rollup`, 'Pss') * 1024, 0);
}

const parentOf = (pid: string) => readKilobytes(`/proc/${pid}/status`, 'PPid');

/** Reads a number of a file of `/proc`; 0 if the process has just ended. */
function readKilobytes(file: string, name: string): number {
  try {
    return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(file, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
