import type { WaitingSum } from '../refused/sql/listRefused.js';
import { formatNumber, formatShortMoney } from './format.js';
import type { Viewer } from './viewer.js';

/**
 * Writes the refused reports that need attention beside their page's name: ` (4) · $170`. Of several currencies it names the
 * money of the one with the most reports. Empty for no reports.
 */
export function refusedMark(sums: readonly WaitingSum[], viewer: Viewer): string {
  const reports = sums.reduce((total, sum) => total + sum.reports, 0);
  if (reports === 0) return '';
  const [first, ...others] = sums.flatMap(({ currency, amount }) =>
    currency === null ? [] : [formatShortMoney(amount, currency, viewer)],
  );
  const number = formatNumber(reports, viewer) + (sums[0]!.isMore ? '+' : '');
  const money = first === undefined ? '' : ` · ${first}${others.length > 0 ? ' + others' : ''}`;
  return ` (${number})${money}`;
}
