/**
 * The ratio of the memory in the last fifth of a run to the second fifth, when caches and heap have their size.
 * @param residentBytes samples at even distances
 */
export function growthOf(residentBytes: readonly number[]): number {
  const fifth = Math.floor(residentBytes.length / 5);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return mean(residentBytes.slice(-fifth)) / mean(residentBytes.slice(fifth, 2 * fifth));
}
