/** The cells of a row that tell an order from a line about the file. */
interface RowCells {
  cells: readonly string[];
  orderId: string;
  amount: string;
  /** True if the amount can be read. */
  isMoney: boolean;
  /** True if the row names a buyer or a status. */
  hasMore: boolean;
}

/**
 * @returns true for a line about the file, such as `Page 1 of 1`, `3 record(s) downloaded` or `-----`: it has no amount, and no
 * id, or words for one. A row of an id without its amount is an order that lost it.
 */
export function isFooter({ cells, orderId, amount, isMoney, hasMore }: RowCells): boolean {
  const [cell, ...more] = cells.filter(isFilled);
  if (cell === undefined) return true;
  if (hasMore || isMoney) return false;
  if (more.length === 0 && isWords(cell)) return true;
  return !isFilled(amount) && (!isFilled(orderId) || isWords(orderId));
}

function isFilled(cell: string): boolean {
  return /[\p{L}\p{N}]/u.test(cell);
}

/** True for several words, or one without a digit that is not written as a code is. */
function isWords(text: string): boolean {
  return /\s/.test(text.trim()) || (!/\d/.test(text) && (/\p{Ll}/u.test(text) || text.length < 4));
}
