import { readPosition, writePosition } from '../../../console/orders/listPosition.js';
import type { RefusedCursor } from '../refusedReport.js';
import type { RefusedKind } from '../refusedWords.js';

/** The valid parameters of a page of refused reports. */
export interface RefusedQuery {
  /** The group whose reports the page lists; null for all groups. */
  kind: RefusedKind | null;
  before: RefusedCursor | undefined;
}

/** The most characters of a host, field or reason. */
const characters = 512;

/** Reads the parameters of a page of refused reports. Invalid ones count as missing. */
export function readRefusedQuery(asked: Record<string, string>): RefusedQuery {
  return {
    kind: readKind((name) => asked[name]),
    before: readRefusedCursor(asked.before ?? ''),
  };
}

/** Reads a group from a form or an address; null without a reason. */
export function readKind(read: (name: string) => string | null | undefined): RefusedKind | null {
  const text = (name: string) => (read(name) ?? '').replaceAll('\0', '').toWellFormed().slice(0, characters);
  const reason = text('reason');
  if (reason === '') return null;
  const cause = read('cause') == null ? undefined : text('cause');
  return { reason, host: text('host'), field: text('field'), cause };
}

/** Returns the parameters of a page that lists a group, after a position. */
export function refusedParameters(
  kind: RefusedKind | null,
  before?: RefusedCursor,
): Record<string, string | undefined> {
  return {
    ...(kind && { reason: kind.reason, host: kind.host, field: kind.field, cause: kind.cause }),
    before: before && writePosition('ref', { at: before.receivedAt, id: before.id }),
  };
}

function readRefusedCursor(text: string): RefusedCursor | undefined {
  const position = readPosition('ref', text);
  return position ? { receivedAt: position.at, id: position.id } : undefined;
}
