import type { ListedHook } from '../../hooks/sql/hook.js';
import { encodeId } from '../../values/ids.js';
import { useConsole } from '../context.js';
import { Choice } from '../parts/elements.js';
import { FoldedForm, Form } from '../parts/form.js';
import { formatNumber } from '../parts/formatNumber.js';
import { formatSince } from '../parts/formatTime.js';
import type { Viewer } from '../parts/viewer.js';
import { hostOfHook } from './deliveryWords.js';
import { resendSpans } from './resendSpans.js';

/** Pending deliveries that are counted. */
const countedAtMost = 1_000;

interface WebhookProps {
  hook: ListedHook;
  /** Deliveries that wait for an attempt, up to 1,001. */
  pending: number;
}

/** One webhook: its address, its events, its state, and its buttons. */
export function Webhook({ hook, pending }: WebhookProps) {
  const { viewer } = useConsole();
  const id = encodeId('hook', hook.id);
  return (
    <article id={id} class="group long" aria-labelledby={`name-${id}`}>
      <h2 id={`name-${id}`}>
        <bdi>{hostOfHook(hook)}</bdi> {hook.isTest && <span class="badge">test</span>}{' '}
        {hook.format === 'slack' && <span class="badge">Slack</span>}{' '}
        {hook.disabledAt && <span class="badge">off</span>}
      </h2>
      <p>
        <code>{hook.url}</code>
      </p>
      <p>
        Told of <Events hook={hook} />. {pendingWords(pending, viewer)}
      </p>
      <WebhookState hook={hook} />
      <div class="buttons">
        <Form action="/webhooks/switch" class="inline">
          <input type="hidden" name="hook" value={id} />
          <input type="hidden" name="on" value={hook.disabledAt ? 'yes' : 'no'} />
          <button type="submit" class={hook.disabledAt ? '' : 'outline secondary'}>
            {hook.disabledAt ? 'Switch on' : 'Switch off'}
          </button>
        </Form>
        {!hook.disabledAt && (
          <Form action="/webhooks/test" class="inline">
            <input type="hidden" name="hook" value={id} />
            <button type="submit" class="outline">
              Send a test event
            </button>
          </Form>
        )}
      </div>
      <FoldedForm summary="Send failed deliveries again">
        <Form action="/webhooks/resend-failed">
          <input type="hidden" name="hook" value={id} />
          <Choice
            name="since"
            label="Events of"
            chosen="30d"
            choices={resendSpans.map(({ name, words }) => [name, words])}
          />
          <button type="submit" class="secondary">
            Send all of them again
          </button>
        </Form>
      </FoldedForm>
      <FoldedForm summary="Remove">
        <p>It is told of nothing more, and what waits for it is not sent. Another one has another secret.</p>
        <Form action="/webhooks/remove">
          <input type="hidden" name="hook" value={id} />
          <button type="submit" class="outline secondary small">
            Remove the webhook
          </button>
        </Form>
      </FoldedForm>
    </article>
  );
}

function Events({ hook: { events } }: Pick<WebhookProps, 'hook'>) {
  return (
    <>
      {events.map((event, at) => (
        <>
          {at > 0 && ', '}
          <code>{event}</code>
        </>
      ))}
    </>
  );
}

function pendingWords(pending: number, viewer: Viewer): string {
  if (pending === 0) return 'Nothing waits for it.';
  if (pending > countedAtMost) return `More than ${formatNumber(countedAtMost, viewer)} deliveries wait.`;
  return pending === 1 ? '1 delivery waits.' : `${formatNumber(pending, viewer)} deliveries wait.`;
}

/** Says why a webhook is off, or since when it fails; nothing where it works. */
export function WebhookState({ hook }: Pick<WebhookProps, 'hook'>) {
  const { viewer } = useConsole();
  const { disabledAt, disabledReason, failingSince } = hook;
  if (disabledAt)
    return (
      <p class={`notice ${disabledReason === null ? '' : 'bad'}`}>
        Switched off since {formatSince(disabledAt, viewer.now, viewer)}
        {disabledReason !== null && (
          <>
            : <bdi>{disabledReason}</bdi>
          </>
        )}
      </p>
    );
  if (failingSince === null) return null;
  return (
    <p class="notice bad">
      Every attempt has failed since {formatSince(failingSince, viewer.now, viewer)}. It is switched off after
      five days.
    </p>
  );
}
