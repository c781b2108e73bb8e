import { useConsole } from '../../../console/context.js';
import { formatNumber } from '../../../console/parts/format.js';
import { Notice } from '../../../console/parts/panel.js';
import { providers } from '../providers.js';
import type { SourceKind } from '../source.js';
import type { ListedSource } from '../sql/source.js';
import type { SourceMeetingRow } from '../sql/sourceMeetings.js';

/** Advice on how a page can report the order id that the source reports. */
const fixes: Record<SourceKind, string> = {
  stripe:
    'Put your order number into the metadata of the session or payment as orderId, or let your page report the id of the Checkout session (cs_…), which {CHECKOUT_SESSION_ID} in success_url prints.',
  shopify: 'Let your page report {{ checkout.order_id }} as orderId, not the number such as #1001.',
  woocommerce: 'Let your page report $order->get_order_number() as orderId.',
};

interface SourceMeetingProps {
  source: Pick<ListedSource, 'kind' | 'isTest'>;
  /** Undefined if no order was stored since the source was added. */
  meeting: SourceMeetingRow | undefined;
  /** Set if it is the team's only source in its mode. */
  isAlone: boolean;
}

/** A line on the orders that a source and pages have in common. If the ids differ, it also shows the fix. */
export function SourceMeeting({ source: { kind, isTest }, meeting, isAlone }: SourceMeetingProps) {
  const { viewer } = useConsole();
  if (!meeting || meeting.bySource + meeting.byPages === 0)
    return <p>{`No ${isTest ? 'test' : 'live'} order since this source was added.`}</p>;
  const { bySource, byPages, inCommon, hasTwins, sourceOrderId, pageOrderId } = meeting;
  const name = isAlone ? providers[kind].name : 'shop systems';
  const [fromSource, reported, common] = [bySource, byPages, inCommon].map((count) =>
    formatNumber(count, viewer),
  );
  const isApart = hasTwins && inCommon === 0;
  return (
    <>
      <p>
        {`Orders: ${fromSource} by ${name}, ${reported} by pages, ${common} in common${isApart ? ': the ids differ.' : '.'}`}
      </p>
      {isApart && (
        <Notice tone="warn">
          <p>
            Each order counts twice, because {providers[kind].name} and your page give it different order ids
            {sourceOrderId !== null && pageOrderId !== null && (
              <>
                , such as <OrderId>{sourceOrderId}</OrderId> and <OrderId>{pageOrderId}</OrderId>
              </>
            )}
            .
          </p>
          <p>{fixes[kind]}</p>
        </Notice>
      )}
    </>
  );
}

/** An order id within a sentence, isolated because it may be hostile text in either direction. */
function OrderId({ children }: { children: string }) {
  return (
    <code>
      <bdi>{children}</bdi>
    </code>
  );
}
