import { decodeId, encodeId, type IdPrefix, type Uuid } from '../../values/ids.js';

/** The last row of a page of a list, after which the next page begins. */
interface ListPosition {
  at: Date;
  id: Uuid;
}

/** Writes a list position for an address. */
export function writePosition(prefix: IdPrefix, { at, id }: ListPosition): string {
  return `${at.getTime()}.${encodeId(prefix, id)}`;
}

/** Reads a text of `writePosition`; null for any other text. */
export function readPosition(prefix: IdPrefix, text: string): ListPosition | null {
  // 15 digits may be a year after 9999, whose ISO text PostgreSQL does not read.
  const [, ms, encoded] = /^(\d{1,14})\.([a-z]+_\w{26})$/.exec(text) ?? [];
  const id = encoded === undefined ? null : decodeId(prefix, encoded);
  return id === null ? null : { at: new Date(Number(ms)), id };
}
