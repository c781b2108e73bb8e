import type { RefusedSum } from '../../refused/sql/listRefused.js';
import { formatNumber, formatShortMoney } from '../parts/formatNumber.js';
import type { Viewer } from '../parts/viewer.js';

/**
 * Writes the refused reports that need attention beside their page's name: ` (4) · $170`. Of several currencies it names the
 * money of the one with the most reports. Empty for no reports.
 */
export function refusedMark(sums: readonly RefusedSum[], viewer: Viewer): string {
  const [first, second] = sums;
  if (!first) return '';
  const number = formatNumber(first.reports, viewer);
  if (first.currency === null) return ` (${number})`;
  const others = second && second.currency !== null ? ' + others' : '';
  return ` (${number}) · ${formatShortMoney(first.amount, first.currency, viewer)}${others}`;
}
