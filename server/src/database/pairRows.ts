/**
 * The database's answer is not the one to this statement: a pooler or proxy in front of it has lost rows, or has mixed up
 * answers. Nothing in it can be trusted, so the caller gets 503 and tries again.
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
 * Puts the rows of an answer in the order of what was asked, by the name that each row carries.
 * @param names names that were asked for; each may be there several times
 * @throws WrongAnswer when one has no row
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
 * Returns the rows of an answer about one thing, which each of them names.
 * @throws WrongAnswer when one names another
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
 * @throws WrongAnswer when it says that it has written another number of them
 */
export function allWritten<Row>(rows: readonly Row[] & { count: number }): readonly Row[] {
  return rows.length === rows.count ? rows : fail();
}

function fail(): never {
  throw new WrongAnswer();
}
