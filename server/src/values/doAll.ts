/**
 * Does the work for each item of a list, one after another. A failure does not stop the others. Rejects at the end with the first
 * error.
 */
export async function doAll<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const faults: unknown[] = [];
  for (const item of items) await work(item).catch((fault) => faults.push(fault));
  if (faults.length > 0) throw faults[0];
}
