import type { Touch } from '@orderbeacon/sdk/contract';
import type { Child } from 'hono/jsx';
import type { RefusedRow } from '../../refused/refusedReport.js';
import { describeRefusedKind } from '../../refused/refusedWords.js';
import { displayDomain } from '../../teams/domains.js';
import { encodeId } from '../../values/ids.js';
import { useConsole } from '../context.js';
import { Fact, Time } from '../parts/elements.js';
import { formatMoney, formatNumber } from '../parts/formatNumber.js';
import { originOf } from '../refused/refusedTable.js';
import type { WholeOrderRow } from '../sql/shownOrders.js';

interface OrderStoryProps {
  order: WholeOrderRow;
  refused: readonly RefusedRow[];
  /** The team's allowed domains. */
  domains: ReadonlySet<string>;
}

/** One line of what led to an order. */
interface Step {
  /** Null where it is not known; such a step is the first. */
  at: Date | null;
  title: string;
  content?: Child;
}

/** The part of an order's page on what led to it: landings, and reports, those that were refused too, the oldest first. */
export function OrderStory({ order, refused, domains }: OrderStoryProps) {
  const steps: Step[] = [
    touchStep('First visit', order.firstTouch),
    touchStep('Last campaign', order.lastTouch),
    ...refused.map((entry) => ({
      at: entry.receivedAt,
      title: 'Refused',
      content: <RefusedContent entry={entry} domains={domains} />,
    })),
    { at: order.createdAt, title: firstReportWords(order) },
    order.mergedAt && { at: order.mergedAt, title: 'Reported again', content: <p>{mergedWords(order)}</p> },
  ].filter((step) => step !== null);
  steps.sort((one, other) => (one.at?.getTime() ?? 0) - (other.at?.getTime() ?? 0));
  return (
    <section>
      <h2 id="story">What led to it</h2>
      <ol class="story">
        {steps.map(({ at, title, content }) => (
          <li>
            <strong>{title}</strong> {at && <Time at={at} />}
            {content}
          </li>
        ))}
      </ol>
    </section>
  );
}

function touchStep(title: string, touch: Touch | null): Step | null {
  if (touch === null) return null;
  return {
    at: touch.at === null ? null : new Date(touch.at),
    title,
    content: (
      <dl class="fields">
        <Fact name="Page">{touch.path}</Fact>
        <Fact name="From">{touch.referrer}</Fact>
        <Fact name="Source">{touch.source}</Fact>
        <Fact name="Medium">{touch.medium}</Fact>
        <Fact name="Campaign">{touch.campaign}</Fact>
        <Fact name="Term">{touch.term}</Fact>
        <Fact name="Content">{touch.content}</Fact>
        <Fact name="Click id">{touch.clickId}</Fact>
      </dl>
    ),
  };
}

function firstReportWords({ reportedBy, host }: WholeOrderRow): string {
  // Which of the two came first is not stored.
  if (reportedBy === 'both') return 'First reported';
  if (host !== null) return `Reported by a page of ${displayDomain(host)}`;
  return reportedBy === 'key' ? 'Reported by a backend with an API key' : 'Reported by a page';
}

function mergedWords({ reportedBy, host }: WholeOrderRow): string {
  return reportedBy === 'both'
    ? `A page${host === null ? '' : ` of ${displayDomain(host)}`} and a backend with an API key have both reported it. The values of the backend count.`
    : 'A later report filled in what was missing. One that changes nothing leaves no trace.';
}

/** Every text in a refused report may be hostile. */
function RefusedContent({ entry, domains }: { entry: RefusedRow; domains: ReadonlySet<string> }) {
  const { home, viewer } = useConsole();
  const { why } = describeRefusedKind(entry, domains);
  return (
    <>
      <p>
        <a href={`${home}/refused/${encodeId('ref', entry.id)}`}>{why}</a>. It needs attention.
      </p>
      <dl class="fields">
        <Fact name="Sent by">{originOf(entry)}</Fact>
        <Fact name="Amount">
          {entry.amount !== null && entry.currency !== null
            ? formatMoney(entry.amount, entry.currency, viewer)
            : entry.amount}
        </Fact>
        <Fact name="Buyer">{entry.email}</Fact>
        {entry.times > 1 && <Fact name="Times">{formatNumber(entry.times, viewer)}</Fact>}
      </dl>
    </>
  );
}
