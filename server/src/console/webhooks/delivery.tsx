import { hookBody } from '../../hooks/hookBody.js';
import { deliveryContent } from '../../orders/listedOrder.js';
import { encodeId } from '../../values/ids.js';
import { useConsole } from '../context.js';
import { Time } from '../parts/elements.js';
import { Action } from '../parts/form.js';
import { formatNumber } from '../parts/formatNumber.js';
import { Empty } from '../parts/notice.js';
import { PageHead, Panel } from '../parts/panel.js';
import { Facts } from '../parts/table.js';
import { describeDelivery } from './deliveryWords.js';
import { HookTrouble } from './hookTrouble.js';
import type { DeliveryData } from './loadWebhooks.js';
import { webhookParameters, writeDeliveryCursor } from './webhookQuery.js';

/** The content of a delivery's page: the body that each attempt sends, and the last answer, which may be hostile. */
export function Delivery({ delivery, hook }: DeliveryData) {
  const { link, viewer } = useConsole();
  const { id, type, data, subjectId, createdAt, attempts, attemptedAt, nextAt, status, answer, tookMs } =
    delivery;
  const order = subjectId !== null && type.startsWith('order.') ? encodeId('ord', subjectId) : null;
  return (
    <>
      <PageHead
        title={
          <>
            <a href={link('/webhooks', webhookParameters({ hookId: hook.id, onlyFailed: false }))}>
              Webhooks
            </a>{' '}
            / {type}
          </>
        }
        about={<bdi>{describeDelivery(delivery, hook, viewer)}</bdi>}
      >
        {data !== null && (
          <Action to="/webhooks/resend" fields={{ delivery: writeDeliveryCursor(delivery) }}>
            Send it again
          </Action>
        )}
      </PageHead>
      <HookTrouble hook={hook} />
      <div class="split">
        <div class="stack">
          <Panel id="body" title="The body">
            {data === null ? (
              <Empty>
                It cannot be sent any more: what it is about was removed, or its buyer was erased.
              </Empty>
            ) : (
              <pre tabindex={0}>{hookBody(hook, delivery, deliveryContent(type, data))}</pre>
            )}
          </Panel>
          <Panel id="answer" title="The last answer">
            <Empty>
              {status === null
                ? 'None has come.'
                : `Status ${status}${tookMs === null ? '' : `, after ${formatNumber(tookMs, viewer)} ms`}${answer ? ':' : ', without a text.'}`}
            </Empty>
            {answer && <pre tabindex={0}>{answer}</pre>}
          </Panel>
        </div>
        <Panel id="facts" title="Facts">
          <Facts
            facts={{
              To: hook.url,
              Event: <Time at={createdAt} />,
              Order: order && <a href={link(`/orders/${order}`)}>{order}</a>,
              Attempts: attempts > 0 ? formatNumber(attempts, viewer) : null,
              'Last attempt': attemptedAt && <Time at={attemptedAt} />,
              'Next attempt': nextAt && !hook.disabledAt ? <Time at={nextAt} /> : null,
              'webhook-id': encodeId('msg', id),
            }}
          />
        </Panel>
      </div>
    </>
  );
}
