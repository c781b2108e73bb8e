/** Tries of each size; the fastest one counts, because others share the machine. */
const tries = 5;

/**
 * Tells how many times as much CPU time a task takes for a text of eight times the length: 8 where the time grows with the length,
 * 64 where it grows with its square. A ratio is the same on a slow machine.
 * @param textOf makes the text from a number of repetitions
 */
export function growthOf(task: (text: string) => unknown, textOf: (times: number) => string, times: number) {
  const [short, long] = [times / 8, times].map((count) => {
    const text = textOf(Math.ceil(count!));
    return Math.min(...Array.from({ length: tries }, () => timeOf(() => task(text))));
  });
  return long! / Math.max(short!, leastMs);
}

/** Shorter times are mostly the clock's. */
const leastMs = 0.05;

/** CPU time, because a busy machine interrupts long tasks more often than short ones. */
function timeOf(task: () => unknown): number {
  const start = process.cpuUsage();
  task();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
