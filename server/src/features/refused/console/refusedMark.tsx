import { useConsole } from '../../../console/context.js';
import { formatNumber, formatShortMoney } from '../../../console/parts/format.js';
import { Badge } from '../../../console/parts/panel.js';
import type { RefusedSum } from '../sql/groupRefused.js';

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
