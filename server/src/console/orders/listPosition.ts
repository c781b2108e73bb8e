import { decodeId, encodeId, type IdPrefix, type Uuid } from '../../values/ids.js';

/** The end of a page of a list, after which the next one begins. */
interface ListPosition {
  at: Date;
  id: Uuid;
}

/** Writes a place for an address. */
export function writePosition(prefix: IdPrefix, { at, id }: ListPosition): string {
  return `${at.getTime()}.${encodeId(prefix, id)}`;
}

/** Reads what `writePlace` wrote; null for any other text. */
export function readPosition(prefix: IdPrefix, text: string): ListPosition | null {
  // 15 digits can be a year after 9999, whose ISO text PostgreSQL does not read.
  const [, ms, encoded] = /^(\d{1,14})\.([a-z]+_\w{26})$/.exec(text) ?? [];
  const id = encoded === undefined ? null : decodeId(prefix, encoded);
  return id === null ? null : { at: new Date(Number(ms)), id };
}
