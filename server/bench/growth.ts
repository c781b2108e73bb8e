/**
 * The ratio of the mean of the last fifth of a run to that of the second fifth, when caches and heap have their size.
 * @param samples at even distances
 */
export function growthOf(samples: readonly number[]): number {
  const fifth = Math.floor(samples.length / 5);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return mean(samples.slice(-fifth)) / mean(samples.slice(fifth, 2 * fifth));
}
