import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Unit of CPU times. Linux reports them in hundredths of a second (`CLK_TCK`). */
const tickMs = 10;

/** Returns the CPU time of a process and of its children so far; null on systems without `/proc`. */
export function readCpuMs(pid: number, { withChildren = false } = {}): number | null {
  if (!existsSync('/proc/self/stat')) return null;
  if (!withChildren) return ticksOf(pid).own * tickMs;
  // The time of children that have ended is in their parent's figures.
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const children = pids.map((pid) => ticksOf(pid)).filter(({ parent }) => parent === pid);
  const parent = ticksOf(pid);
  return (parent.own + parent.ended + children.reduce((sum, { own }) => sum + own, 0)) * tickMs;
}

/** Reads the CPU times of a process, see proc_pid_stat(5). They are 0 if it has just ended. */
function ticksOf(pid: number): { parent: number; own: number; ended: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return { parent: fields[1]!, own: fields[11]! + fields[12]!, ended: fields[13]! + fields[14]! };
  } catch {
    return { parent: 0, own: 0, ended: 0 };
  }
}
