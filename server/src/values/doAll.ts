/**
 * Does all of a list, one after the other, so that what fails of one keeps none of the others waiting. Rejects at the end with
 * the first fault.
 */
export async function doAll<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const faults: unknown[] = [];
  for (const item of items) await work(item).catch((fault) => faults.push(fault));
  if (faults.length > 0) throw faults[0];
}
