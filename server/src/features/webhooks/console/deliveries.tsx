import { useConsole } from '../../../console/context.js';
import { Time } from '../../../console/parts/elements.js';
import { Badge, Empty, Panel, Seg, type Tone } from '../../../console/parts/panel.js';
import type { HookDelivery } from '../hookDelivery.js';
import { Delivery } from './delivery.js';
import { describeDelivery, hostOfHook, nameOfHook } from './deliveryWords.js';
import { deliveriesShown, type WebhooksData } from './loadWebhooks.js';
import { type WebhookQuery, webhookParameters } from './webhookQuery.js';

/** The latest deliveries of all webhooks or of one. Each can be unfolded. */
export function Deliveries({ query, hooks, deliveries }: WebhooksData) {
  const { link, viewer } = useConsole();
  const to = (other: WebhookQuery) => `${link('/webhooks', webhookParameters(other))}#deliveries`;
  const chosen = hooks.find(({ id }) => id === query.hookId);
  return (
    <Panel
      id="deliveries"
      title={
        chosen ? (
          <>
            Deliveries to <bdi>{nameOfHook(chosen, hooks)}</bdi>
          </>
        ) : (
          'Deliveries'
        )
      }
      beside={
        <>
          {chosen && <a href={to({ hookId: null, onlyFailed: query.onlyFailed })}>All endpoints</a>}
          <Seg
            label="Which deliveries"
            isAtEnd
            choices={[
              { href: to({ ...query, onlyFailed: false }), text: 'All', isChosen: !query.onlyFailed },
              { href: to({ ...query, onlyFailed: true }), text: 'Failed', isChosen: query.onlyFailed },
            ]}
          />
        </>
      }
    >
      {deliveries.length === 0 && (
        <Empty>{query.onlyFailed ? 'No delivery has failed.' : 'Nothing was sent yet.'}</Empty>
      )}
      {deliveries.map((delivery) => {
        const hook = hooks.find(({ id }) => id === delivery.hookId);
        // It was removed while the page was made.
        if (!hook) return null;
        return (
          <details class="delivery">
            <summary>
              <strong>{delivery.type}</strong> <bdi class="wide">{hostOfHook(hook)}</bdi>{' '}
              <span>
                <Badge tone={toneOf(delivery)}>
                  {delivery.status ?? (delivery.error === null ? 'waits' : 'failed')}
                </Badge>{' '}
                <bdi class="muted">{describeDelivery(delivery, hook, viewer)}</bdi>
              </span>{' '}
              <Time at={delivery.createdAt} />
            </summary>
            <Delivery delivery={delivery} hook={hook} />
          </details>
        );
      })}
      <footer>
        <small>
          The last {deliveriesShown}. Deliveries are kept for 30 days; an order’s page has its own.
        </small>
      </footer>
    </Panel>
  );
}

function toneOf({ deliveredAt, error, nextAt }: HookDelivery): Tone | undefined {
  if (deliveredAt) return 'good';
  if (error === null) return undefined;
  return nextAt ? 'warn' : 'bad';
}
