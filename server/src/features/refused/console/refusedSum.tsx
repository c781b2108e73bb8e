import { useConsole } from '../../../console/context.js';
import { counted, formatMoney, formatNumber, formatShortMoney } from '../../../console/parts/format.js';
import { Badge } from '../../../console/parts/panel.js';
import type { Viewer } from '../../../console/parts/viewer.js';
import type { RefusedSum } from '../sql/groupRefused.js';

/**
 * Describes the refused reports of a mode: the orders that do not count and their money, and the reports that differ
 * from their order. The money is that of the currency with the most reports. Null if no report is refused.
 */
export function sayRefusedSum(
  [first, second]: readonly RefusedSum[],
  isTest: boolean,
  viewer: Viewer,
): string | null {
  if (!first) return null;
  const { reports, differing, currency, amount } = first;
  const others = second && second.currency !== null ? ' and other currencies' : '';
  const money = currency === null ? '' : `, ${formatMoney(amount, currency, viewer)}${others},`;
  const orders = counted(reports, isTest ? 'test order' : 'order', viewer);
  const words = [
    reports > 0 && `${orders}${money} ${reports === 1 ? 'does' : 'do'} not count yet.`,
    differing === 1 && '1 report differs from its order.',
    differing > 1 && `${formatNumber(differing, viewer)} reports differ from their orders.`,
  ];
  return words.filter(Boolean).join(' ');
}

/** The number of refused reports, and the money of the currency with the most of them. */
export function RefusedMark({ sums: [first, second] }: { sums: readonly RefusedSum[] }) {
  const { viewer } = useConsole();
  if (!first) return null;
  const others = second && second.currency !== null ? ' + others' : '';
  return (
    <>
      {' '}
      <Badge tone="bad">
        {formatNumber(first.reports + first.differing, viewer)}
        {first.currency !== null && (
          <span class="wide">
            {' · '}
            {formatShortMoney(first.amount, first.currency, viewer)}
            {others}
          </span>
        )}
      </Badge>
    </>
  );
}
