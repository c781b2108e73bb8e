/**
 * Returns the ratio of the means of a run's last fifth and its second fifth. By then, caches and heap have their size.
 * @param samples at even distances
 */
export function growthOf(samples: readonly number[]): number {
  const fifth = Math.floor(samples.length / 5);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return mean(samples.slice(-fifth)) / mean(samples.slice(fifth, 2 * fifth));
}
