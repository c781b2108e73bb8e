import { hookEvents, hooksAtMost } from '../../hooks/hook.js';
import type { ListedHook } from '../../hooks/sql/hook.js';
import { encodeId } from '../../values/ids.js';
import { useConsole } from '../context.js';
import { Choice, plainText, refusedField, Time } from '../parts/elements.js';
import { Action, Confirm, Form, Menu } from '../parts/form.js';
import { formatSince } from '../parts/formatTime.js';
import { Badge, Empty, Notice } from '../parts/notice.js';
import { PageHead, Pager, Panel, Seg } from '../parts/panel.js';
import { Table } from '../parts/table.js';
import { counted } from '../parts/words.js';
import { describeDelivery, eventWords, hostOfHook } from './deliveryWords.js';
import type { WebhooksData } from './loadWebhooks.js';
import { webhookParameters, writeDeliveryPlace } from './webhookQuery.js';

/** A form that was not accepted: its fields, and the reason. */
export interface WebhookRefusal {
  form: Record<string, string>;
  hint: string;
}

type WebhooksProps = WebhooksData & { refusal: WebhookRefusal | null };

/** The content of the page of webhooks: what is wrong, the endpoints, and the last deliveries. */
export function Webhooks(data: WebhooksProps) {
  const { hooks, refusal } = data;
  return (
    <>
      <PageHead title="Webhooks" about="Other systems get orders and refunds as they are stored.">
        <NewWebhook hooks={hooks.length} refusal={refusal} />
      </PageHead>
      {hooks.map((hook) => (
        <Trouble hook={hook} />
      ))}
      <Panel id="hooks" title="Endpoints">
        {hooks.length === 0 ? <NoWebhooks /> : <Endpoints {...data} />}
      </Panel>
      {hooks.length > 0 && <Deliveries {...data} />}
    </>
  );
}

function NoWebhooks() {
  const { base } = useConsole();
  return (
    <Empty>
      No webhook yet. A webhook calls another system of yours for each order, refund and enrollment, and when
      orders stop. What it does not accept is sent again for three days.{' '}
      <a href={`${base}/docs/webhooks`}>How webhooks work</a>
    </Empty>
  );
}

/** Says that a webhook is off, or since when it fails; nothing where it works. */
export function Trouble({ hook }: { hook: ListedHook }) {
  const { viewer } = useConsole();
  const { disabledAt, disabledReason, failingSince } = hook;
  const fields = { hook: encodeId('hook', hook.id) };
  if (disabledAt && disabledReason !== null)
    return (
      <Notice
        tone="bad"
        actions={
          <Action to="/webhooks/switch" fields={{ ...fields, on: 'yes' }}>
            Switch on
          </Action>
        }
      >
        <strong class="tone">
          <bdi>{hostOfHook(hook)}</bdi> gets nothing.
        </strong>{' '}
        Switched off since {formatSince(disabledAt, viewer.now, viewer)}: <bdi>{disabledReason}</bdi>
      </Notice>
    );
  if (disabledAt || failingSince === null) return null;
  return (
    <Notice
      tone="warn"
      actions={
        <Action to="/webhooks/resend-failed" fields={fields} isSmall>
          Send failed ones again
        </Action>
      }
    >
      <strong class="tone">
        <bdi>{hostOfHook(hook)}</bdi> does not answer.
      </strong>{' '}
      Every attempt has failed since {formatSince(failingSince, viewer.now, viewer)}. It is switched off after
      five days.
    </Notice>
  );
}

function Endpoints({ hooks, pending }: WebhooksData) {
  const { link, viewer } = useConsole();
  const waiting = (hook: ListedHook) => pending.find(({ hookId }) => hookId === hook.id)?.deliveries ?? 0;
  return (
    <Table
      rows={hooks}
      row={({ id }) => ({ id: encodeId('hook', id) })}
      columns={[
        {
          head: 'Endpoint',
          class: 'title',
          isName: true,
          cell: (hook) => (
            <a
              href={link('/webhooks', webhookParameters({ hookId: hook.id, onlyFailed: false }))}
              title={hook.url}
            >
              <bdi>{nameOf(hook, hooks)}</bdi>
            </a>
          ),
        },
        {
          head: 'State',
          class: 'mark',
          cell: (hook) => (
            <>
              <State hook={hook} /> {hook.isTest && <Badge tone="warn">test</Badge>}{' '}
              {hook.format === 'slack' && <Badge>Slack</Badge>}
            </>
          ),
        },
        { head: 'Events', class: 'wide long muted', cell: ({ events }) => events.join(', ') },
        {
          head: 'Waiting',
          class: 'number note',
          cell: (hook) =>
            waiting(hook) === 0 ? '–' : counted(waiting(hook), 'delivery', viewer, 'deliveries'),
        },
        { head: '', class: 'number rest', cell: (hook) => <Buttons hook={hook} /> },
      ]}
    />
  );
}

function State({ hook: { disabledAt, disabledReason, failingSince } }: { hook: ListedHook }) {
  if (disabledAt) return <Badge tone={disabledReason === null ? undefined : 'bad'}>Off</Badge>;
  return failingSince === null ? <Badge tone="good">On</Badge> : <Badge tone="warn">Retrying</Badge>;
}

function Buttons({ hook }: { hook: ListedHook }) {
  const fields = { hook: encodeId('hook', hook.id) };
  const name = hostOfHook(hook);
  return (
    <div class="line end">
      {hook.disabledAt ? (
        <Action to="/webhooks/switch" fields={{ ...fields, on: 'yes' }} isSmall label={`Switch on ${name}`}>
          Switch on
        </Action>
      ) : (
        <>
          <Action to="/webhooks/test" fields={fields} isSmall label={`Send a test to ${name}`}>
            Send a test
          </Action>
          <Action to="/webhooks/switch" fields={{ ...fields, on: 'no' }} isSmall label={`Switch off ${name}`}>
            Switch off
          </Action>
        </>
      )}
      <Confirm
        to="/webhooks/remove"
        fields={fields}
        title="Remove"
        words="It gets nothing more, and what waits for it is not sent. A new webhook gets a new secret."
        label={`Remove ${name}`}
      >
        Remove the webhook
      </Confirm>
    </div>
  );
}

function NewWebhook({ hooks, refusal }: { hooks: number; refusal: WebhookRefusal | null }) {
  const { session } = useConsole();
  if (session.isReadOnly) return null;
  if (hooks >= hooksAtMost) return <small>A team can have {hooksAtMost} webhooks.</small>;
  const form = refusal?.form ?? (session.isDemo ? { test: 'yes' } : {});
  const isChosen = (event: string) => refusal === null || form[event] === 'yes';
  return (
    <Menu title="Add a webhook" isOpen={refusal !== null} isAtEnd>
      <li>
        <Form action="/webhooks" class="stack">
          <label for="url">Endpoint URL</label>
          <input
            id="url"
            name="url"
            type="url"
            required
            maxlength={2000}
            placeholder="https://shop.example/hooks"
            value={form.url}
            {...plainText}
            {...(refusal && refusedField('url-refusal'))}
          />
          {refusal && (
            <small id="url-refusal" role="alert">
              Not added: <bdi>{refusal.hint}</bdi>.
            </small>
          )}
          <Choice
            name="format"
            label="Format"
            chosen={form.format ?? 'standard'}
            choices={[
              ['standard', 'JSON (Standard Webhooks)'],
              ['slack', 'Text for Slack'],
            ]}
          />
          <fieldset>
            <legend>Events</legend>
            {hookEvents.map((event) => (
              <label title={event}>
                <input type="checkbox" name={event} value="yes" checked={isChosen(event)} />{' '}
                {eventWords[event]}
              </label>
            ))}
          </fieldset>
          <label>
            <input type="checkbox" name="test" value="yes" checked={form.test === 'yes'} /> Test orders only
          </label>
          <button type="submit">Add the webhook</button>
        </Form>
      </li>
    </Menu>
  );
}

function Deliveries({ query, hooks, deliveries, isMore }: WebhooksData) {
  const { link, viewer } = useConsole();
  const to = (...given: Parameters<typeof webhookParameters>) =>
    `${link('/webhooks', webhookParameters(...given))}#deliveries`;
  const chosen = hooks.find(({ id }) => id === query.hookId);
  const shown = deliveries.map((delivery) => ({
    delivery,
    hook: hooks.find(({ id }) => id === delivery.hookId),
    place: writeDeliveryPlace(delivery),
  }));
  return (
    <Panel
      id="deliveries"
      title={
        chosen ? (
          <>
            Deliveries to <bdi>{nameOf(chosen, hooks)}</bdi>
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
            { head: 'To', class: 'wide', cell: ({ hook }) => hook && <bdi>{hostOfHook(hook)}</bdi> },
            {
              head: 'Outcome',
              class: 'mark long',
              cell: ({ delivery, hook }) => (
                <>
                  <Badge
                    tone={
                      delivery.deliveredAt
                        ? 'good'
                        : delivery.error === null
                          ? undefined
                          : delivery.nextAt
                            ? 'warn'
                            : 'bad'
                    }
                  >
                    {delivery.status ?? (delivery.error === null ? 'waits' : 'failed')}
                  </Badge>{' '}
                  <bdi class="muted">{describeDelivery(delivery, hook, viewer)}</bdi>
                </>
              ),
            },
            {
              head: '',
              class: 'number value',
              cell: ({ delivery, place }) =>
                delivery.error !== null &&
                delivery.deliveredAt === null && (
                  <Action
                    to="/webhooks/resend"
                    fields={{ delivery: place }}
                    isSmall
                    label={`Send again: ${delivery.type}`}
                  >
                    Send again
                  </Action>
                ),
            },
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

/** The name of a webhook in a list: its host, and its path where another one has the same host. */
function nameOf(hook: ListedHook, hooks: readonly ListedHook[]): string {
  const host = hostOfHook(hook);
  const isOnly = hooks.filter((other) => hostOfHook(other) === host).length === 1;
  return isOnly ? host : host + new URL(hook.url).pathname;
}
