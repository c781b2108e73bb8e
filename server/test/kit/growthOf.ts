/** Tries of each size. The fastest counts, because other processes use the machine, too. */
const tries = 5;

/**
 * Measures the ratio of a task's CPU times for a text and for one of eight times the length. It is 8 if the time grows with the
 * length, and 64 if it grows with its square. The ratio is the same on a slow machine.
 * @param textOf makes the text from a number of repetitions
 */
export function growthOf(task: (text: string) => unknown, textOf: (times: number) => string, times: number) {
  const [short, long] = [times / 8, times].map((count) => {
    const text = textOf(Math.ceil(count!));
    return Math.min(...Array.from({ length: tries }, () => timeOf(() => task(text))));
  });
  return long! / Math.max(short!, leastMs);
}

/** Times below this are mostly errors of the clock. */
const leastMs = 0.05;

/** Measures CPU time, because a busy machine interrupts long tasks more often than short ones. */
function timeOf(task: () => unknown): number {
  const start = process.cpuUsage();
  task();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
