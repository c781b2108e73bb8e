import { type Here, makeRange, type Range, rangeParameters, readRange } from '../../console/parts/range.js';
import { type OriginPart, originParts, type TouchChoice, touchChoices } from '../../console/sql/origin.js';
import { isStoredCurrency } from '../../values/currency.js';
import { type Charted, charted } from './overviewFigures.js';

/** The valid parameters of an overview. */
export interface OverviewQuery {
  range: Range;
  /** A sentence for the viewer about the range in the address, such as why it is invalid; null without one. */
  note: string | null;
  /** The figure whose chart is shown. */
  show: Charted;
  /** The currency whose money is shown; empty for the one with the most orders. */
  currency: string;
  /** The landing and its part by which the list of origins groups orders. */
  touch: TouchChoice;
  by: OriginPart;
  /** Set to list all origins, not only the largest. */
  isWhole: boolean;
}

/** Reads the parameters of an overview. Invalid ones count as missing. */
export function readOverviewQuery(asked: Record<string, string>, here: Here): OverviewQuery {
  const { range, note } = readRange(asked, here);
  return {
    range: range ?? makeRange('30d', here),
    note,
    show: charted.find((figure) => figure === asked.show) ?? 'orders',
    currency: isStoredCurrency(asked.currency) ? asked.currency : '',
    touch: touchChoices.find((choice) => choice === asked.touch) ?? 'first',
    by: originParts.find((part) => part === asked.by) ?? 'source',
    isWhole: asked.rows === 'all',
  };
}

/** Returns the parameters of an overview with some changes. Default values are left out. */
export function overviewParameters(
  query: OverviewQuery,
  change: Partial<OverviewQuery> = {},
): Record<string, string | undefined> {
  const { range, show, currency, touch, by, isWhole } = { ...query, ...change };
  return {
    ...rangeParameters(range.name === '30d' ? null : range),
    show: show === 'orders' ? undefined : show,
    currency: currency === '' ? undefined : currency,
    touch: touch === 'first' ? undefined : touch,
    by: by === 'source' ? undefined : by,
    rows: isWhole ? 'all' : undefined,
  };
}
