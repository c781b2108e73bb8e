/**
 * The error if an answer is not that of its statement: a pooler or proxy has lost rows, or has mixed up answers. Nothing in the
 * answer can be trusted, so the caller gets 503 and tries again.
 */
export class WrongAnswer extends Error {
  override name = 'WrongAnswer';
  /** SQLSTATE protocol_violation. */
  readonly code = '08P01';

  constructor() {
    super('The answer of the database has other rows than were asked for.');
  }
}

/**
 * Sorts the rows of an answer by the names that were asked for.
 * @param names the names that were asked for; a name may occur several times
 * @param nameOf reads the name in a row
 * @throws WrongAnswer if a name has no row
 */
export function pairRows<Name, Row>(
  names: readonly Name[],
  rows: readonly Row[],
  nameOf: (row: Row) => Name,
): Row[] {
  const named = new Map(rows.map((row) => [nameOf(row), row]));
  return names.map((name) => named.get(name) ?? fail());
}

/**
 * Returns the rows of an answer about one thing, after a check that each row names it.
 * @throws WrongAnswer if a row names another
 */
export function rowsOf<Name, Row>(
  name: Name,
  rows: readonly Row[],
  nameOf: (row: Row) => Name,
): readonly Row[] {
  return rows.every((row) => nameOf(row) === name) ? rows : fail();
}

/**
 * Returns the rows that a statement has written.
 * @throws WrongAnswer if the statement reports another number of rows
 */
export function allWritten<Row>(rows: readonly Row[] & { count: number }): readonly Row[] {
  return rows.length === rows.count ? rows : fail();
}

function fail(): never {
  throw new WrongAnswer();
}
