/** The cells by which an order is separated from a line about the file. */
interface RowCells {
  cells: readonly string[];
  orderId: string;
  amount: string;
  /** Set if the amount can be read. */
  isMoney: boolean;
  /** Set if the row names a buyer or a status. */
  hasMore: boolean;
}

/**
 * @returns true for a line about the file, such as `Page 1 of 1`, `3 record(s) downloaded` or `-----`. It has no
 * amount, and no id or words in place of one. A row with an id but without an amount is an order that lost its amount.
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

/** @returns true for several words, or for one word that has no digit and is not spelled like a code */
function isWords(text: string): boolean {
  return /\s/.test(text.trim()) || (!/\d/.test(text) && (/\p{Ll}/u.test(text) || text.length < 4));
}
