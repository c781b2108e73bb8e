import type { HookDelivery } from '../../hooks/hookDelivery.js';
import { useConsole } from '../context.js';
import { Time } from '../parts/elements.js';
import { Action } from '../parts/form.js';
import { Badge, Empty, type Tone } from '../parts/notice.js';
import { Pager, Panel, Seg } from '../parts/panel.js';
import { Table } from '../parts/table.js';
import { describeDelivery, hostOfHook, nameOfHook } from './deliveryWords.js';
import type { WebhooksData } from './loadWebhooks.js';
import { webhookParameters, writeDeliveryCursor } from './webhookQuery.js';

/** The last deliveries, of all webhooks or of one. */
export function Deliveries({ query, hooks, deliveries, isMore }: WebhooksData) {
  const { link, viewer } = useConsole();
  const to = (...given: Parameters<typeof webhookParameters>) =>
    `${link('/webhooks', webhookParameters(...given))}#deliveries`;
  const chosen = hooks.find(({ id }) => id === query.hookId);
  const shown = deliveries.map((delivery) => ({
    delivery,
    hook: hooks.find(({ id }) => id === delivery.hookId),
    place: writeDeliveryCursor(delivery),
  }));
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
              { href: to({ ...query, onlyFailed: false }), words: 'All', isChosen: !query.onlyFailed },
              { href: to({ ...query, onlyFailed: true }), words: 'Failed', isChosen: query.onlyFailed },
            ]}
          />
        </>
      }
    >
      {shown.length === 0 ? (
        <Empty>
          {query.before
            ? 'No older ones.'
            : query.onlyFailed
              ? 'No delivery has failed.'
              : 'Nothing was sent yet.'}
        </Empty>
      ) : (
        <Table
          rows={shown}
          columns={[
            {
              head: 'Event',
              class: 'title',
              isName: true,
              cell: ({ delivery, place }) => (
                <a href={link(`/webhooks/${place}`)} class="name">
                  {delivery.type}
                </a>
              ),
            },
            { head: 'To', class: 'wide mid', cell: ({ hook }) => hook && <bdi>{hostOfHook(hook)}</bdi> },
            {
              head: 'Outcome',
              class: 'mark long',
              cell: ({ delivery, hook }) => (
                <>
                  <Badge tone={toneOf(delivery)}>
                    {delivery.status ?? (delivery.error === null ? 'waits' : 'failed')}
                  </Badge>{' '}
                  <bdi class="muted">{describeDelivery(delivery, hook, viewer)}</bdi>
                </>
              ),
            },
            { head: '', class: 'number value', cell: ({ delivery }) => <SendAgain delivery={delivery} /> },
            { head: 'Time', class: 'number time', cell: ({ delivery }) => <Time at={delivery.createdAt} /> },
          ]}
        />
      )}
      <Pager
        about="Deliveries are kept for 30 days."
        newest={query.before !== null && to(query)}
        older={isMore && to(query, deliveries.at(-1))}
      />
    </Panel>
  );
}

function toneOf({ deliveredAt, error, nextAt }: HookDelivery): Tone | undefined {
  if (deliveredAt) return 'good';
  if (error === null) return undefined;
  return nextAt ? 'warn' : 'bad';
}

/** The button that sends a delivery again; nothing for one that has not failed. */
export function SendAgain({ delivery }: { delivery: HookDelivery }) {
  if (delivery.deliveredAt !== null || delivery.error === null) return null;
  return (
    <Action
      to="/webhooks/resend"
      fields={{ delivery: writeDeliveryCursor(delivery) }}
      isSmall
      label={`Send again: ${delivery.type}`}
    >
      Send again
    </Action>
  );
}
