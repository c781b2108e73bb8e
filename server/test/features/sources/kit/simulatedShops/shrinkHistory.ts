import type { History } from './history.js';

/**
 * Finds a smaller history that also fails: with fewer steps, and with messages that arrive once, on time and one by one.
 * @param fails plays a history, and resolves with true if it fails
 */
export async function shrinkHistory(
  history: History,
  fails: (history: History) => Promise<boolean>,
): Promise<History> {
  let smallest = history;
  const tryOut = async (candidate: History) => {
    const isSmaller = await fails(candidate);
    if (isSmaller) smallest = candidate;
    return isSmaller;
  };
  if (smallest.together > 1) await tryOut({ ...smallest, together: 1 });
  for (const order of new Set(history.steps.map((step) => step.order)))
    await tryOut({ ...smallest, steps: smallest.steps.filter((step) => step.order !== order) });
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (let at = smallest.steps.length - 1; at >= 0; at--)
      if (await tryOut({ ...smallest, steps: smallest.steps.toSpliced(at, 1) })) isSmaller = true;
  }
  for (let at = 0; at < smallest.steps.length; at++) {
    const step = smallest.steps[at]!;
    const onTime = step.arrivals.map(() => [0]);
    if (await tryOut({ ...smallest, steps: smallest.steps.with(at, { ...step, arrivals: onTime }) }))
      continue;
    for (const [number] of step.arrivals.entries()) {
      const now = smallest.steps[at]!;
      const arrivals = now.arrivals.with(number, [0]);
      await tryOut({ ...smallest, steps: smallest.steps.with(at, { ...now, arrivals }) });
    }
  }
  return smallest;
}
