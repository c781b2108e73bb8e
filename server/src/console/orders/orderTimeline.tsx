import type { Touch } from '@orderbeacon/sdk/contract';
import { endedUnpaid, unpaidPrefix } from '../../core/orders/merge/foldRefunds.js';
import { displayDomain } from '../../core/teams/domains.js';
import { useConsole } from '../context.js';
import { formatMoney } from '../parts/format.js';
import { Timeline, type TimelineStep } from '../parts/timeline.js';
import type { OrderData } from './loadOrder.js';
import { describeReporters } from './orderRows.js';

/** Causes and effects of an order, the oldest first: landings, reports, refunds, and steps that features add. */
export function OrderTimeline({ order, refunds, others }: OrderData) {
  const { viewer } = useConsole();
  const { other } = describeReporters(order);
  const money = (amount: string) => formatMoney(amount, order.currency, viewer);
  const steps: (TimelineStep | null)[] = [
    touchStep('First visit', order.firstTouch),
    isSameTouch(order.firstTouch, order.lastTouch) ? null : touchStep('Last campaign', order.lastTouch),
    {
      at: order.createdAt,
      tone: 'good',
      title: firstReportWords(order),
      content: `${money(order.amount)}. A new order.`,
    },
    order.mergedAt && {
      at: order.mergedAt,
      tone: 'good',
      title: order.reportedBy === 'both' ? `${capitalize(other!)} confirmed it` : 'Reported again',
      content:
        order.reportedBy === 'both'
          ? `${order.statedBy === 'signed' ? 'The page has signed it' : `A page and ${other} have both reported it`}. The values of ${other} count.`
          : 'A later report filled in or corrected what is stored. Repeats that change nothing are not listed.',
    },
    ...refunds.map(
      ({ refundId, amount, currency, reason, createdAt }): TimelineStep => ({
        at: createdAt,
        title: refundId.startsWith(unpaidPrefix)
          ? `Not paid: ${money(amount)}`
          : `Refund of ${formatMoney(amount, currency ?? order.currency, viewer)}`,
        content: refundId.startsWith(unpaidPrefix) ? (
          reason === endedUnpaid ? (
            'Your shop system ended the order unpaid, so it counts as refunded.'
          ) : (
            'Your shop system says that the order failed, is on hold or is pending, so it counts as refunded until it is paid again.'
          )
        ) : (
          <>
            {currency !== null &&
              currency !== order.currency &&
              'In another currency than the order, so it does not count. '}
            {reason !== null && (
              <>
                “<bdi>{reason}</bdi>”,{' '}
              </>
            )}
            refund <bdi>{refundId}</bdi>
          </>
        ),
      }),
    ),
    ...others,
  ];
  const known = steps.filter((step) => step !== null);
  known.sort((one, other) => (one.at?.getTime() ?? 0) - (other.at?.getTime() ?? 0));
  return <Timeline steps={known} label="Timeline" />;
}

/** @returns true if one landing is stored as both the first and the last, so that it is shown once */
function isSameTouch(first: Touch | null, last: Touch | null): boolean {
  return first !== null && JSON.stringify(first) === JSON.stringify(last);
}

function touchStep(title: string, touch: Touch | null): TimelineStep | null {
  if (touch === null) return null;
  const { source, medium, campaign, term, content, clickId, path, referrer } = touch;
  const texts = [
    [source, medium].filter(Boolean).join(', ') || null,
    campaign && `campaign ${campaign}`,
    term && `term ${term}`,
    content && `content ${content}`,
    referrer && `from ${referrer}`,
    clickId && `click ${clickId}`,
  ].filter(Boolean);
  return {
    at: touch.at === null ? null : new Date(touch.at),
    title,
    content: (
      <bdi>
        {texts.length > 0 ? texts.join(', ') : 'Direct: typed or bookmarked'}
        {path && `. Landed on ${path}`}
      </bdi>
    ),
  };
}

function firstReportWords(order: OrderData['order']): string {
  // It is not stored which of the two came first.
  if (order.reportedBy === 'both') return 'First reported';
  if (order.host !== null) return `A page of ${displayDomain(order.host)} reported it`;
  return `${capitalize(describeReporters(order).other ?? 'a page')} reported it`;
}

const capitalize = (words: string) => words.replace(/^./, (letter) => letter.toUpperCase());
