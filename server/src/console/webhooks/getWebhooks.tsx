import type { Handler } from 'hono';
import { hooksAtMost } from '../../hooks/hook.js';
import type { HookDelivery } from '../../hooks/hookDelivery.js';
import { countPending, listDeliveries } from '../../hooks/sql/delivery.js';
import { type ListedHook, listHooks } from '../../hooks/sql/hook.js';
import { encodeId } from '../../values/ids.js';
import { type ConsoleContext, type ConsoleDeps, type ConsoleEnv, useConsole } from '../context.js';
import { Choice, Scroll } from '../parts/elements.js';
import { renderPage } from '../parts/layout.js';
import { DeliveryTable } from './deliveryTable.js';
import { hostOfHook } from './deliveryWords.js';
import { NewWebhook, type WebhookRefusal } from './newWebhook.js';
import { Webhook } from './webhook.js';
import { WebhookFlash } from './webhookFlash.js';
import { readWebhookQuery, type WebhookQuery, webhookParameters } from './webhookQuery.js';

const deliveriesOnPage = 50;

/** `GET /console/webhooks`: the team's webhooks, and the last deliveries, by page. */
export function getWebhooks(deps: ConsoleDeps): Handler<ConsoleEnv> {
  return (c) => renderWebhooks(c, deps, null);
}

/**
 * Answers with the page of webhooks.
 * @param refusal a form that was not accepted: then the status is 400
 */
export async function renderWebhooks(
  c: ConsoleContext,
  { ask }: ConsoleDeps,
  refusal: WebhookRefusal | null,
): Promise<Response> {
  const { teamId } = c.var.session;
  const { base } = c.var;
  const asked = c.req.query();
  const query = readWebhookQuery(asked);
  const [hooks, pending, found] = await Promise.all([
    ask(teamId, (sql) => listHooks(sql, teamId)),
    ask(teamId, (sql) => countPending(sql, teamId)),
    ask(teamId, (sql) =>
      listDeliveries(sql, teamId, {
        hookId: query.hookId ?? undefined,
        onlyFailed: query.onlyFailed,
        before: query.before ?? undefined,
        limit: deliveriesOnPage + 1,
      }),
    ),
  ]);
  c.status(refusal ? 400 : 200);
  return renderPage(
    c,
    <>
      <h1>Webhooks</h1>
      <WebhookFlash asked={asked} />
      <p>
        A webhook tells another system of orders, refunds and enrollments as they are stored, and of orders
        that have stopped. What it does not accept is sent again for three days.{' '}
        <a href={`${base}/docs/webhooks`}>How webhooks work</a>.
      </p>
      {hooks.slice(0, hooksAtMost).map((hook) => (
        <Webhook hook={hook} pending={pending.find(({ hookId }) => hookId === hook.id)?.deliveries ?? 0} />
      ))}
      <NewWebhook hooks={hooks.length} refusal={refusal} />
      {hooks.length > 0 && <Deliveries hooks={hooks} query={query} found={found} />}
    </>,
    { title: 'Webhooks', here: 'Webhooks' },
  );
}

interface DeliveriesProps {
  hooks: readonly ListedHook[];
  query: WebhookQuery;
  /** Up to one more than the page shows. */
  found: readonly HookDelivery[];
}

function Deliveries({ hooks, query, found }: DeliveriesProps) {
  const { home } = useConsole();
  const shown = found.slice(0, deliveriesOnPage);
  const to = (...given: Parameters<typeof webhookParameters>) =>
    `${home}/webhooks${webhookParameters(...given)}#deliveries`;
  return (
    <section>
      <h2 id="deliveries">Deliveries, newest first</h2>
      <form method="get" action={`${home}/webhooks#deliveries`} class="filters" autocomplete="off">
        <Choice
          name="hook"
          label="To"
          chosen={query.hookId ? encodeId('hook', query.hookId) : ''}
          choices={[
            ['', 'All webhooks'],
            ...hooks.map((hook) => [encodeId('hook', hook.id), nameOf(hook, hooks)] as const),
          ]}
        />
        <Choice
          name="show"
          label="Outcome"
          chosen={query.onlyFailed ? 'failed' : ''}
          choices={[
            ['', 'All'],
            ['failed', 'Failed'],
          ]}
        />
        <button type="submit" class="show">
          Show
        </button>
      </form>
      {shown.length === 0 && <p class="notice">{noneWords(query)}</p>}
      {shown.length > 0 && (
        <Scroll labelledBy="deliveries">
          <DeliveryTable deliveries={shown} hooks={hooks} />
        </Scroll>
      )}
      <nav aria-label="Pages" class="pages">
        {query.before && <a href={to(query)}>Newest</a>}
        {found.length > deliveriesOnPage && <a href={to(query, shown.at(-1))}>Older</a>}
      </nav>
      <p>
        <small>Deliveries are kept for 30 days.</small>
      </p>
    </section>
  );
}

/** Characters of a name in a list: a longer one would be wider than a phone. */
const nameCharacters = 30;

/** The name of a webhook in a list: its host, and its path where another one has the same host. */
function nameOf(hook: ListedHook, hooks: readonly ListedHook[]): string {
  const host = hostOfHook(hook);
  const isOnly = hooks.filter((other) => hostOfHook(other) === host).length === 1;
  const name = isOnly ? host : host + new URL(hook.url).pathname;
  const shown = name.length > nameCharacters ? `${name.slice(0, nameCharacters)}…` : name;
  return shown + (hook.isTest ? ' (test)' : '');
}

function noneWords({ onlyFailed, before }: WebhookQuery): string {
  if (before) return 'There are no older ones.';
  return onlyFailed ? 'No delivery has failed.' : 'Nothing was told yet.';
}
