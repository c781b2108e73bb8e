import { readEmail } from '../../values/email.js';
import { ApiError } from '../../values/errors.js';
import { decodeId, personUuid, type Uuid } from '../../values/ids.js';
import type { ConsoleContext } from '../context.js';
import { type AskedRange, type Range, rangeParameters, readRange } from '../parts/range.js';
import type { OrderSelection } from '../sql/orderSelection.js';
import type { Origin } from '../sql/origin.js';
import type { OrderCursor } from '../sql/shownOrders.js';
import { readPosition, writePosition } from './listPosition.js';
import { readOrigin, writeOrigin } from './orderOrigin.js';

/** The valid parameters in the address of an orders page. */
export interface OrderQuery {
  isTest: boolean;
  by: 'anyone' | 'browser' | 'key' | 'both';
  /** Only orders that have refunds. */
  isRefunded: boolean;
  /** Only orders that have no shop order id. */
  isWithoutId: boolean;
  /** Only orders whose reports name no currency. */
  isWithoutCurrency: boolean;
  /** Only orders of this origin; null for any. */
  origin: Origin | null;
  /** The search text, as typed. */
  q: string;
  before: OrderCursor | null;
  /** Only orders of this range; null for any time. */
  range: Range | null;
  /** A sentence about the range (`readRange`). */
  note: string | null;
}

/** Number of characters of a search that are used. No identifier, email or name is longer. */
const searchCharacters = 255;

/** Reads the parameters of an orders page. An invalid one counts as missing. */
export function readOrderQuery(
  asked: Record<string, string> & AskedRange,
  here: { now: Date; zone: string },
  isTest: boolean,
): OrderQuery {
  const { by, paid, id, came = '', q = '', before = '' } = asked;
  return {
    isTest,
    by: by === 'browser' || by === 'key' || by === 'both' ? by : 'anyone',
    isRefunded: paid === 'refunded',
    isWithoutId: id === 'none',
    isWithoutCurrency: id === 'no-currency',
    origin: readOrigin(came),
    // PostgreSQL accepts no NUL and no half of a surrogate pair in a text.
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

/**
 * Reads the parameters for a file.
 * @throws ApiError `invalid_request` if the range is invalid: a file of other orders would be mistaken for the one that was
 * asked for
 */
export function readFileQuery(c: ConsoleContext): OrderQuery {
  const query = readOrderQuery(c.req.query(), c.var.viewer, c.var.isTest);
  if (query.note && !query.range) throw new ApiError('invalid_request', { message: query.note });
  return query;
}

/** Makes the selection of a query. A search for a whole email also finds the person with the id of that email. */
export function toSelection(
  { isTest, by, isRefunded, isWithoutId, isWithoutCurrency, origin, q, range }: OrderQuery,
  secret: string,
  teamId: Uuid,
): OrderSelection {
  const email = readEmail(q);
  return {
    isTest,
    reportedBy: by === 'anyone' ? undefined : by,
    isRefunded,
    isWithoutId,
    isWithoutCurrency,
    origin: origin ?? undefined,
    span: range?.span,
    search:
      q === ''
        ? undefined
        : {
            // Some shops print the number 1001 as #1001.
            text: q.replace(/^#(?=.)/, ''),
            personId: email === null ? decodeId('ppl', q) : personUuid(secret, teamId, email),
            id: decodeId('ord', q),
          },
  };
}

/** Writes the parameters of a query with some of them changed. Defaults are left out, and the mode, which links add. */
export function orderParameters(
  query: OrderQuery,
  change: Partial<OrderQuery> = {},
): Record<string, string | undefined> {
  const { by, isRefunded, isWithoutId, isWithoutCurrency, origin, q, before, range } = {
    ...query,
    ...change,
  };
  return {
    ...rangeParameters(range),
    by: by === 'anyone' ? undefined : by,
    paid: isRefunded ? 'refunded' : undefined,
    id: isWithoutId ? 'none' : isWithoutCurrency ? 'no-currency' : undefined,
    came: origin ? writeOrigin(origin) : undefined,
    q: q === '' ? undefined : q,
    before: before ? writePosition('ord', { at: before.createdAt, id: before.id }) : undefined,
  };
}

function readCursor(text: string): OrderCursor | null {
  const position = readPosition('ord', text);
  return position && { createdAt: position.at, id: position.id };
}
