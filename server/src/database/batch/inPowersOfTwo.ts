/**
 * Cuts the rows of an `insert … values` into pieces of 1, 2, 4 … rows, the largest first, because each number of rows is
 * a prepared statement of its own.
 */
export function inPowersOfTwo<Row>(rows: Row[]): Row[][] {
  const pieces: Row[][] = [];
  for (let at = 0; at < rows.length; ) {
    const count = 2 ** Math.floor(Math.log2(rows.length - at));
    pieces.push(rows.slice(at, at + count));
    at += count;
  }
  return pieces;
}
