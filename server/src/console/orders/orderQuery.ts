import { readEmail } from '../../values/email.js';
import { decodeId, personUuid, type Uuid } from '../../values/ids.js';
import { type AskedRange, rangeParameters, readRange } from '../overview/askedRange.js';
import type { Range } from '../overview/range.js';
import type { OrderCursor, OrderSelection } from '../sql/shownOrders.js';
import { readPlace, writePlace } from './listPlace.js';

/** The valid parameters in the address of an orders page. */
export interface OrderQuery {
  mode: 'all' | 'live' | 'test';
  by: 'anyone' | 'browser' | 'key' | 'both';
  /** The search text, as typed. */
  q: string;
  before: OrderCursor | null;
  /** Null for orders of any time. */
  range: Range | null;
  /** See `readRange`. */
  note: string | null;
}

/** Number of characters of a search that are used; no identifier, email or name is longer. */
const searchCharacters = 255;

/** Reads the parameters of an orders page; one that is not valid counts as absent. */
export function readOrderQuery(
  asked: Record<string, string> & AskedRange,
  here: { now: Date; zone: string },
): OrderQuery {
  const { mode, by, q = '', before = '' } = asked;
  return {
    mode: mode === 'live' || mode === 'test' ? mode : 'all',
    by: by === 'browser' || by === 'key' || by === 'both' ? by : 'anyone',
    // NUL is no text for PostgreSQL, nor half of a surrogate pair.
    q: q
      .replaceAll('\0', '')
      .replaceAll(/[\r\n]+/g, ' ')
      .trim()
      .slice(0, searchCharacters)
      .toWellFormed(),
    before: readCursor(before),
    ...readRange(asked, here),
  };
}

/** The orders that a query selects. A whole email is looked up by the person that it makes, too. */
export function toSelection(
  { mode, by, q, range }: OrderQuery,
  secret: string,
  teamId: Uuid,
): OrderSelection {
  const email = readEmail(q);
  return {
    isTest: mode === 'all' ? undefined : mode === 'test',
    reportedBy: by === 'anyone' ? undefined : by,
    span: range?.span,
    search:
      q === ''
        ? undefined
        : {
            // Shops print the number 1001 as #1001, in places.
            text: q.replace(/^#(?=.)/, ''),
            personId: email === null ? decodeId('ppl', q) : personUuid(secret, teamId, email),
            id: decodeId('ord', q),
          },
  };
}

/** The parameters of a query with some of them changed, without those that say nothing. */
export function orderParameters(query: OrderQuery, change: Partial<OrderQuery> = {}): string {
  const { mode, by, q, before, range } = { ...query, ...change };
  const parameters = new URLSearchParams(rangeParameters(range));
  if (mode !== 'all') parameters.set('mode', mode);
  if (by !== 'anyone') parameters.set('by', by);
  if (q !== '') parameters.set('q', q);
  if (before) parameters.set('before', writePlace('ord', { at: before.createdAt, id: before.id }));
  const text = String(parameters);
  return text === '' ? '' : `?${text}`;
}

function readCursor(text: string): OrderCursor | null {
  const place = readPlace('ord', text);
  return place && { createdAt: place.at, id: place.id };
}
