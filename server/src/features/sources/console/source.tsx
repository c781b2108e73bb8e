import { useConsole } from '../../../console/context.js';
import { Confirm, Form } from '../../../console/parts/form.js';
import { counted, formatSpan } from '../../../console/parts/format.js';
import { Badge, Copy, Notice } from '../../../console/parts/panel.js';
import type { SetupData } from '../../../console/setup/setupPage.js';
import { encodeId } from '../../../values/ids.js';
import { dayMs } from '../../../values/time.js';
import { describeWebhook } from '../ask/webhookState.js';
import { providers } from '../providers.js';
import { bytesAtMost } from '../receive/postSource.js';
import type { RequestOutcome } from '../requestOutcome.js';
import { describeMode, describeReach } from '../setup/describeReach.js';
import { sourcePath } from '../source.js';
import type { ApartHost } from '../sql/apartEvent.js';
import type { ListedSource } from '../sql/source.js';
import type { SourceMeetingRow } from '../sql/sourceMeetings.js';
import { OtherHosts } from './otherHosts.js';
import { SourceAccess } from './sourceAccess.js';
import { SourceMeeting } from './sourceMeeting.js';
import { SourceSecret } from './sourceSecret.js';
import { SourceSteps } from './sourceSteps.js';

const outcomes: Record<RequestOutcome, string> = {
  new: 'a new order',
  known: 'an order that was known already',
  refund: 'a refund',
  taken_back: 'a refund that was taken back',
  kept: 'kept among the refused reports',
  ignored: 'nothing that counts, such as an order that is not paid yet',
  ping: 'a test message without an order',
  too_large: `refused, because it is larger than ${bytesAtMost / 1_048_576} MiB`,
  other_host: 'kept apart, because it is of another host',
  invalid_signature: 'refused, because it was not signed with the secret that was entered here',
  shop_error:
    'an error of the shop in place of an order: choose a user who may read orders, in WooCommerce an administrator, for the webhook',
};

/** The badge of a source's state by its last event. A ping is not signed, so it does not show a connection. */
function State({ outcome, isOff }: { outcome: RequestOutcome | null; isOff: boolean }) {
  if (isOff) return <Badge tone="bad">Webhook off</Badge>;
  switch (outcome) {
    case null:
    case 'ping':
      return <Badge>{outcome === null ? 'No event yet' : 'No order yet'}</Badge>;
    case 'invalid_signature':
      return <Badge tone="bad">Secret differs</Badge>;
    case 'shop_error':
      return <Badge tone="bad">Error of the shop</Badge>;
    case 'too_large':
      return <Badge tone="bad">Event too large</Badge>;
    default:
      return <Badge tone="good">Connected</Badge>;
  }
}

/** Time for which the page shows the notice on an event that was too large. */
const largeNewsMs = 30 * dayMs;

interface SourceProps extends Pick<SetupData, 'domains'> {
  publicUrl: string;
  meetings: SourceMeetingRow[];
  apart: readonly ApartHost[];
  source: ListedSource;
  /** Set if it is the team's only source in its mode. */
  isAlone: boolean;
  /** Reason why the source's new secret was not saved; null if no secret was refused. */
  secretHint: string | null;
  /** Reason why the new API key of the source's shop was not saved; null if no key was refused. */
  accessHint: string | null;
}

/** A source: its state, the orders that it has in common with pages, its steps and its forms. */
export function Source({
  source,
  publicUrl,
  meetings,
  apart,
  domains,
  isAlone,
  secretHint,
  accessHint,
}: SourceProps) {
  const { viewer } = useConsole();
  const id = encodeId('src', source.id);
  const { name } = providers[source.kind];
  const { lastEventAt, lastOutcome, isTest, secret, unsignedEvents, largeEvents, largeAt, syncedAt } = source;
  const isLargeNews = largeAt !== null && viewer.now.getTime() - largeAt.getTime() < largeNewsMs;
  const reach = describeReach(source.kind, publicUrl + sourcePath(source));
  const mode = describeMode(source, domains);
  // An event after the sync shows that the webhook is on.
  const isNews = syncedAt !== null && (lastEventAt === null || lastEventAt < syncedAt);
  const off = isNews ? describeWebhook(source.kind, source.lastSync?.webhook) : null;
  const hasEvent = lastEventAt !== null && lastOutcome !== null;
  return (
    <article id={id} class="panel" aria-labelledby={`name-${id}`}>
      <header class="line">
        <h2 id={`name-${id}`}>{name}</h2>
        {isTest && <Badge tone="warn">test</Badge>}
        {secret === null ? (
          <Badge tone="warn">Secret missing</Badge>
        ) : (
          <State outcome={lastOutcome} isOff={off !== null} />
        )}
        <small>
          {secret === null && 'It accepts nothing yet. '}
          {hasEvent &&
            `Last event ${formatSpan(viewer.now.getTime() - lastEventAt.getTime())} ago: ${outcomes[lastOutcome]}.`}
        </small>
      </header>
      {unsignedEvents > 0 && (
        <Notice tone="bad">
          {`${unsignedEvents} ${unsignedEvents === 1 ? 'event was' : 'events were'} refused, because another secret signed ${unsignedEvents === 1 ? 'it' : 'them'}. Enter the same secret in ${name} and here.`}
        </Notice>
      )}
      {isLargeNews && (
        <Notice tone="bad">
          {`${counted(largeEvents, 'event was', viewer, 'events were')} refused, because ${largeEvents === 1 ? 'it is' : 'they are'} larger than ${bytesAtMost / 1_048_576} MiB, the last one ${formatSpan(viewer.now.getTime() - largeAt.getTime())} ago. Look in ${name} for an order of that time that is not here, and report it with an API key.`}
        </Notice>
      )}
      <OtherHosts source={source} apart={apart.filter(({ sourceId }) => sourceId === source.id)} />
      {off !== null && <Notice tone="bad">{off}</Notice>}
      {reach !== null && <Notice tone="bad">{reach}</Notice>}
      {mode !== null && <Notice tone="warn">{mode}</Notice>}
      <div class="body">
        <SourceMeeting
          source={source}
          meeting={meetings.find(({ sourceId }) => sourceId === source.id)}
          isAlone={isAlone}
        />
        {providers[source.kind].saysAll && (
          <p>
            <small>{`What ${name} erases of a buyer, or an email that is emptied there, is erased here, too.`}</small>
          </p>
        )}
      </div>
      <Copy title="Its URL" name={`the URL for ${name}`}>
        {publicUrl + sourcePath(source)}
      </Copy>
      <details open={!hasEvent || secret === null || secretHint !== null}>
        <summary>
          <small>Connect {name}</small>
        </summary>
        <div class="body stack">
          <SourceSteps kind={source.kind} />
          <Form action="/setup/sources/secret" class="line">
            <input type="hidden" name="source" value={id} />
            <SourceSecret
              id={id}
              label={secret === null ? 'Signing secret' : 'Another signing secret'}
              hint={secretHint}
            />
            <button type="submit" class="outline secondary">
              {secret === null ? 'Save the secret' : 'Replace the secret'}
            </button>
          </Form>
        </div>
      </details>
      <SourceAccess source={source} hint={accessHint} />
      <footer class="line">
        <Confirm
          to="/setup/sources/remove"
          fields={{ source: id }}
          title={`Remove ${name}`}
          text="Its URL stops working immediately, and a new source has another URL. The orders and refunds that it reported stay."
        >
          Remove the source
        </Confirm>
      </footer>
    </article>
  );
}
