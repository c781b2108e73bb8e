import { useConsole } from '../../../console/context.js';
import { counted, formatMoney, formatNumber, formatShortMoney } from '../../../console/parts/format.js';
import { Badge } from '../../../console/parts/panel.js';
import type { Viewer } from '../../../console/parts/viewer.js';
import type { RefusedSum } from '../sql/groupRefused.js';

/** Says how many orders of a world do not count, and the money of the currency with the most of them; null where all count. */
export function sayRefusedSum(
  [first, second]: readonly RefusedSum[],
  isTest: boolean,
  viewer: Viewer,
): string | null {
  if (!first) return null;
  const others = second && second.currency !== null ? ' and other currencies' : '';
  const money =
    first.currency === null ? '' : `, ${formatMoney(first.amount, first.currency, viewer)}${others},`;
  return `${counted(first.reports, isTest ? 'test order' : 'order', viewer)}${money} ${first.reports === 1 ? 'does' : 'do'} not count yet.`;
}

/** The refused reports and, of several currencies, the money of the one with the most reports. */
export function RefusedMark({ sums: [first, second] }: { sums: readonly RefusedSum[] }) {
  const { viewer } = useConsole();
  if (!first) return null;
  const others = second && second.currency !== null ? ' + others' : '';
  return (
    <>
      {' '}
      <Badge tone="bad">
        {formatNumber(first.reports, viewer)}
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
