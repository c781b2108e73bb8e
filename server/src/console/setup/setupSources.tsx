import { describeReach } from '../../sources/describeReach.js';
import { providers } from '../../sources/providers.js';
import { type SourceKind, sourceKinds, sourcePath, sourcesAtMost } from '../../sources/source.js';
import type { ListedSource } from '../../sources/sql/source.js';
import type { EventOutcome } from '../../sources/storedEvent.js';
import { encodeId } from '../../values/ids.js';
import { useConsole } from '../context.js';
import { Choice, refusedField } from '../parts/elements.js';
import { FoldedForm, Form } from '../parts/form.js';
import { formatSpan } from '../parts/formatTime.js';
import type { SourceMeetingRow } from '../sql/sourceMeetings.js';
import { SourceAccess } from './sourceAccess.js';
import { SourceMeeting } from './sourceMeeting.js';
import { SourceSteps } from './sourceSteps.js';

const outcomes: Record<EventOutcome, string> = {
  new: 'a new order',
  known: 'an order that was known already',
  refund: 'a refund',
  taken_back: 'a refund that was taken back',
  kept: 'kept among the refused reports',
  ignored: 'nothing that counts, such as an order that is not paid yet',
  ping: 'a test message without an order',
  invalid_signature: 'refused, because it was not signed with the secret that was entered here',
  shop_error:
    'an error of the shop in place of an order: choose a user who may read orders, in WooCommerce an administrator, for the webhook',
};

/** A secret that was not taken, and why. Secrets are not shown again. */
export interface SourceRefusal {
  /** The id of its source, or `new`. */
  source: string;
  /** The kind of a new source, and if its orders are tests. */
  kind?: SourceKind;
  isTest?: boolean;
  hint: string;
  /** True for the key of the shop's API. */
  isOfAccess?: boolean;
}

interface SetupSourcesProps {
  now: Date;
  publicUrl: string;
  /** The oldest first. */
  sources: ListedSource[];
  meetings: SourceMeetingRow[];
  domains: readonly { isTest: boolean }[];
  refusal: SourceRefusal | null;
}

/** The setup page's part on sources: each with its steps, its last event and what it has in common with pages. */
export function SetupSources({ sources, refusal, ...rest }: SetupSourcesProps) {
  const { base } = useConsole();
  return (
    <section>
      <h2 id="sources">Sources</h2>
      <p>
        Your shop system can report each paid order and refund itself, even if the buyer closes the page. It
        needs no code. Its reports take precedence over those of pages. Add one source for the system that
        knows all of your orders. <a href={`${base}/docs/sources`}>How sources work</a>.
      </p>
      {sources.slice(0, sourcesAtMost).map((source) => (
        <Source
          source={source}
          refusal={refusal}
          isAlone={sources.filter(({ isTest }) => isTest === source.isTest).length === 1}
          {...rest}
        />
      ))}
      {sources.length > sourcesAtMost && <p>There are more sources than these.</p>}
      {sources.length < sourcesAtMost ? (
        <NewSource refusal={refusal} />
      ) : (
        <p>A team can have {sourcesAtMost} sources. Remove one before you add another.</p>
      )}
    </section>
  );
}

function NewSource({ refusal }: Pick<SetupSourcesProps, 'refusal'>) {
  return (
    <Form action="/sources">
      <Choice
        name="kind"
        label="Add a source"
        chosen={refusal?.kind ?? ''}
        choices={sourceKinds.map((kind) => [kind, providers[kind].name])}
      />
      <Secret id="new" label="Its signing secret, if you have it already" refusal={refusal} />
      <label>
        <input type="checkbox" name="test" value="yes" checked={refusal?.isTest} /> All of its orders are
        tests
      </label>
      <button type="submit">Add the source</button>
    </Form>
  );
}

function Source({
  source,
  now,
  publicUrl,
  meetings,
  domains,
  refusal,
  isAlone,
}: Omit<SetupSourcesProps, 'sources'> & { source: ListedSource; isAlone: boolean }) {
  const id = encodeId('src', source.id);
  const { name } = providers[source.kind];
  const { lastEventAt, lastOutcome, isTest, secret, unsignedEvents } = source;
  const reach = describeReach(source.kind, publicUrl + sourcePath(source));
  const hasEvent = lastEventAt !== null && lastOutcome !== null;
  return (
    <article id={id} class="long" aria-labelledby={`name-${id}`}>
      <h3 id={`name-${id}`}>
        {name} {isTest && <span class="badge">test</span>}
      </h3>
      {secret === null && (
        <p class="notice">It accepts nothing yet, because its signing secret is missing.</p>
      )}
      <p>
        {hasEvent
          ? `Last event ${formatSpan(now.getTime() - lastEventAt.getTime())} ago: ${outcomes[lastOutcome]}.`
          : 'No event yet.'}
      </p>
      {unsignedEvents > 0 && (
        <p class="notice">
          {`${unsignedEvents} ${unsignedEvents === 1 ? 'event was' : 'events were'} refused, because another secret signed ${unsignedEvents === 1 ? 'it' : 'them'}. Enter the same secret in ${name} and here.`}
        </p>
      )}
      {reach !== null && <p class="notice">{reach}</p>}
      {!isTest && domains.length > 0 && domains.every((domain) => domain.isTest) && (
        <p class="notice">
          All domains of this team are for tests, and this source is live, so that each order is two. For a
          trial add a source whose orders are tests.
        </p>
      )}
      <SourceMeeting
        source={source}
        meeting={meetings.find(({ sourceId }) => sourceId === source.id)}
        isAlone={isAlone}
      />
      <pre data-copy tabindex={0}>
        {publicUrl + sourcePath(source)}
      </pre>
      <FoldedForm
        summary={`Connect ${name}`}
        open={!hasEvent || secret === null || (refusal?.source === id && !refusal.isOfAccess)}
      >
        <SourceSteps kind={source.kind} />
        <Form action="/sources/secret">
          <input type="hidden" name="source" value={id} />
          <Secret
            id={id}
            label={secret === null ? 'Signing secret' : 'Another signing secret'}
            refusal={refusal}
          />
          <button type="submit" class="secondary">
            {secret === null ? 'Save the secret' : 'Replace the secret'}
          </button>
        </Form>
      </FoldedForm>
      <SourceAccess
        source={source}
        now={now}
        hint={refusal?.source === id && refusal.isOfAccess ? refusal.hint : null}
      />
      <FoldedForm summary={`Remove ${name}`}>
        <p>
          Its URL stops working immediately, and a new source has another URL. The orders and refunds that it
          reported stay.
        </p>
        <Form action="/sources/remove">
          <input type="hidden" name="source" value={id} />
          <button type="submit" class="outline secondary small">
            Remove the source
          </button>
        </Form>
      </FoldedForm>
    </article>
  );
}

function Secret({ id, label, refusal }: { id: string; label: string } & Pick<SetupSourcesProps, 'refusal'>) {
  const isRefused = refusal?.source === id && !refusal.isOfAccess;
  return (
    <>
      <label for={`secret-${id}`}>{label}</label>
      <input
        id={`secret-${id}`}
        name="secret"
        type="password"
        required={id !== 'new'}
        maxlength={255}
        autocomplete="off"
        {...(isRefused && refusedField(`refusal-${id}`))}
      />
      {isRefused && (
        <small id={`refusal-${id}`} role="alert">
          Not saved: {refusal.hint}.
        </small>
      )}
    </>
  );
}
