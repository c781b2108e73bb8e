import { readdirSync, readFileSync } from 'node:fs';

/**
 * Memory of a process and its children; 0 on systems without `/proc`.
 * @param kind `Pss`: with each shared page by its share; `Pss_Anon`: what each has alone, so PostgreSQL without its cache
 */
export function shareOfMemory(pid: number, kind: 'Pss' | 'Pss_Anon' = 'Pss'): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const own = pids.filter((each) => Number(each) === pid || parentOf(each) === pid);
  return own.reduce((sum, each) => sum + readKilobytes(`/proc/${each}/smaps_rollup`, kind) * 1024, 0);
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
