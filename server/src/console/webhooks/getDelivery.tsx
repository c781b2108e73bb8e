import type { Handler } from 'hono';
import { hookBody } from '../../hooks/hookBody.js';
import type { HookDelivery } from '../../hooks/hookDelivery.js';
import { findDeliveries } from '../../hooks/sql/delivery.js';
import { type ListedHook, listHooks } from '../../hooks/sql/hook.js';
import { deliveryContent } from '../../orders/deliveryContent.js';
import { ApiError } from '../../values/errors.js';
import { encodeId } from '../../values/ids.js';
import { type ConsoleDeps, type ConsoleEnv, useConsole } from '../context.js';
import { Fact, Time } from '../parts/elements.js';
import { Form } from '../parts/form.js';
import { formatNumber } from '../parts/formatNumber.js';
import { renderPage } from '../parts/layout.js';
import { describeDelivery } from './deliveryWords.js';
import { WebhookState } from './webhook.js';
import { WebhookFlash } from './webhookFlash.js';
import { readDeliveryPlace, webhookParameters, writeDeliveryPlace } from './webhookQuery.js';

/** `GET /console/webhooks/:id`: one delivery, with the body that each attempt sends, and the last answer. */
export function getDelivery({ ask }: ConsoleDeps): Handler<ConsoleEnv> {
  return async function getDelivery(c) {
    const { teamId } = c.var.session;
    const place = readDeliveryPlace(c.req.param('id')!);
    const found = place ? await ask(teamId, (sql) => findDeliveries(sql, teamId, place.id)) : [];
    const delivery = found.find(({ hookId }) => hookId === place?.hookId);
    const hooks = delivery ? await ask(teamId, (sql) => listHooks(sql, teamId)) : [];
    const hook = hooks.find(({ id }) => delivery && id === delivery.hookId);
    if (!delivery || !hook)
      throw new ApiError('not_found', {
        message:
          'No delivery of this team has that id. Its webhook was removed, or it is older than 30 days.',
      });
    const { type, data } = delivery;
    return renderPage(
      c,
      <>
        <p>
          <a href={`${c.var.home}/webhooks${webhookParameters({ hookId: hook.id, onlyFailed: false })}`}>
            All deliveries of this webhook
          </a>
        </p>
        <h1>{type}</h1>
        <WebhookFlash asked={c.req.query()} />
        <p>
          <strong>
            <bdi>{describeDelivery(delivery, hook, c.var.viewer)}</bdi>
          </strong>
        </p>
        <WebhookState hook={hook} />
        {data !== null && (
          <Form action="/webhooks/resend" class="inline">
            <input type="hidden" name="delivery" value={writeDeliveryPlace(delivery)} />
            <button type="submit" class="small">
              Send it again
            </button>
          </Form>
        )}
        <Facts delivery={delivery} hook={hook} />
        <h2>The body</h2>
        {data === null ? (
          <p>It cannot be sent any more: what it is about was removed, or its buyer was erased.</p>
        ) : (
          <pre tabindex={0} class="body">
            {hookBody(hook, delivery, deliveryContent(type, data))}
          </pre>
        )}
        <h2>The last answer</h2>
        <Answer delivery={delivery} />
      </>,
      { title: 'A delivery', here: 'Webhooks' },
    );
  };
}

function Facts({ delivery, hook }: { delivery: HookDelivery; hook: ListedHook }) {
  const { home, viewer } = useConsole();
  const { id, type, subjectId, createdAt, attempts, attemptedAt, nextAt } = delivery;
  const order = subjectId !== null && type.startsWith('order.') ? encodeId('ord', subjectId) : null;
  return (
    <dl class="fields">
      <Fact name="To">{hook.url}</Fact>
      <Fact name="Event">
        <Time at={createdAt} />
      </Fact>
      {order && (
        <Fact name="Order">
          <a href={`${home}/orders/${order}`}>{order}</a>
        </Fact>
      )}
      {attempts > 0 && <Fact name="Attempts">{formatNumber(attempts, viewer)}</Fact>}
      {attemptedAt && (
        <Fact name="Last attempt">
          <Time at={attemptedAt} />
        </Fact>
      )}
      {nextAt && !hook.disabledAt && (
        <Fact name="Next attempt">
          <Time at={nextAt} />
        </Fact>
      )}
      <Fact name="webhook-id">{encodeId('msg', id)}</Fact>
    </dl>
  );
}

function Answer({ delivery: { status, answer, tookMs } }: { delivery: HookDelivery }) {
  const { viewer } = useConsole();
  if (status === null) return <p>None has come.</p>;
  return (
    <>
      <p>
        Status {status}
        {tookMs !== null && `, after ${formatNumber(tookMs, viewer)} ms`}
        {answer ? ':' : ', without a text.'}
      </p>
      {answer && (
        <pre tabindex={0} class="body">
          {answer}
        </pre>
      )}
    </>
  );
}
