import { useConsole } from '../../../console/context.js';
import { Action, Confirm } from '../../../console/parts/form.js';
import { counted } from '../../../console/parts/format.js';
import { Guide } from '../../../console/parts/guide.js';
import { Badge, Empty, PageHead, Panel } from '../../../console/parts/panel.js';
import { Table } from '../../../console/parts/table.js';
import { encodeId } from '../../../values/ids.js';
import type { ListedHook } from '../sql/hook.js';
import { Deliveries } from './deliveries.js';
import { hostOfHook, nameOfHook } from './deliveryWords.js';
import { HookTrouble } from './hookTrouble.js';
import type { WebhooksData } from './loadWebhooks.js';
import { NewWebhook, type WebhookRefusal } from './newWebhook.js';
import { webhookParameters } from './webhookQuery.js';

type WebhooksProps = WebhooksData & { refusal: WebhookRefusal | null };

/** Content of the page of webhooks: faults, the endpoints, and the latest deliveries. */
export function Webhooks(data: WebhooksProps) {
  const { hooks, refusal } = data;
  return (
    <>
      <PageHead title="Webhooks" about="Other systems get orders and refunds as they are stored.">
        <NewWebhook hooks={hooks.length} refusal={refusal} />
      </PageHead>
      {hooks.map((hook) => (
        <HookTrouble hook={hook} />
      ))}
      <Panel id="hooks" title="Endpoints">
        {hooks.length === 0 ? <NoWebhooks /> : <Endpoints {...data} />}
      </Panel>
      {hooks.length > 0 && <Deliveries {...data} />}
    </>
  );
}

function NoWebhooks() {
  return (
    <Empty>
      No webhook yet. A webhook calls another system of yours for each order, refund and enrollment, and when
      orders stop. What it does not accept is sent again for three days.{' '}
      <Guide to="webhooks">How webhooks work</Guide>
    </Empty>
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
          class: 'title mid',
          isName: true,
          cell: (hook) => (
            <a
              href={link('/webhooks', webhookParameters({ hookId: hook.id, onlyFailed: false }))}
              title={hook.url}
            >
              <bdi>{nameOfHook(hook, hooks)}</bdi>
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
    <div class="line">
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
        text="It gets nothing more, and what waits for it is not sent. A new webhook gets a new secret."
        label={`Remove ${name}`}
      >
        Remove the webhook
      </Confirm>
    </div>
  );
}
