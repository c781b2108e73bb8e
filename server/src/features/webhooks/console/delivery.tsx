import { useConsole } from '../../../console/context.js';
import { Time } from '../../../console/parts/elements.js';
import { Action } from '../../../console/parts/form.js';
import { formatNumber } from '../../../console/parts/format.js';
import { Facts } from '../../../console/parts/table.js';
import { encodeId, type Uuid } from '../../../values/ids.js';
import { hookBody } from '../hookBody.js';
import type { HookDelivery } from '../hookDelivery.js';
import type { ListedHook } from '../sql/hook.js';
import { writeDeliveryName } from './webhookQuery.js';

/** Characters of a request that are shown. It may have 64 KiB, and a page has 50 of them. */
const charactersShown = 4_000;

interface DeliveryProps {
  delivery: HookDelivery;
  hook: ListedHook;
  /** The order on whose page it is shown; null for the page of webhooks. */
  orderId?: Uuid | null;
}

/**
 * The unfolded part of a delivery: request, answer and a button that sends it again. The request is the body that each
 * attempt sends. The answer is the last one, and may be hostile. The browser unfolds it if the address ends in its name.
 */
export function Delivery({ delivery, hook, orderId = null }: DeliveryProps) {
  const { link, viewer } = useConsole();
  const { id, type, data, subjectId, attempts, attemptedAt, nextAt, status, answer, tookMs } = delivery;
  const isOfOther = subjectId !== null && subjectId !== orderId && type.startsWith('order.');
  const order = isOfOther ? encodeId('ord', subjectId) : null;
  const body = data === null ? '' : hookBody(hook, delivery, data);
  const name = writeDeliveryName(delivery);
  return (
    <div class="split body" id={name}>
      <div class="stack">
        <h3>Request</h3>
        {data === null ? (
          <p>It cannot be sent any more: what it is about was removed, or its buyer was erased.</p>
        ) : (
          <pre tabindex={0}>{body.slice(0, charactersShown)}</pre>
        )}
        {body.length > charactersShown && (
          <small>
            The first {formatNumber(charactersShown, viewer)} of {formatNumber(body.length, viewer)}{' '}
            characters.
          </small>
        )}
        <h3>Answer</h3>
        <p>
          {status === null
            ? 'None has come.'
            : `Status ${status}${tookMs === null ? '' : `, after ${formatNumber(tookMs, viewer)} ms`}${answer ? ':' : ', without a text.'}`}
        </p>
        {answer && <pre tabindex={0}>{answer}</pre>}
      </div>
      <div class="stack">
        <Facts
          facts={{
            To: hook.url,
            Order: order && <a href={link(`/orders/${order}`)}>{order}</a>,
            Attempts: attempts > 0 ? formatNumber(attempts, viewer) : null,
            'Last attempt': attemptedAt && <Time at={attemptedAt} />,
            'Next attempt': nextAt && !hook.disabledAt ? <Time at={nextAt} /> : null,
            'webhook-id': encodeId('msg', id),
          }}
        />
        {data !== null && (
          <Action
            to="/webhooks/resend"
            fields={{ delivery: name, ...(orderId && { order: encodeId('ord', orderId) }) }}
            isSmall
            label={`Send again: ${type}`}
          >
            Send again
          </Action>
        )}
      </div>
    </div>
  );
}
