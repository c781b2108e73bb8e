import { useConsole } from '../../../console/context.js';
import { Choice, ModeChoice, plainText, refusedField } from '../../../console/parts/elements.js';
import { Form, NoForm } from '../../../console/parts/form.js';
import { Guide } from '../../../console/parts/guide.js';
import { PageHead } from '../../../console/parts/panel.js';
import type { SetupData } from '../../../console/setup/setupPage.js';
import { encodeId } from '../../../values/ids.js';
import { providers } from '../providers.js';
import { type SourceKind, sourceKinds, sourcesAtMost } from '../source.js';
import type { ApartHost } from '../sql/apartEvent.js';
import type { ListedSource } from '../sql/source.js';
import type { SourceMeetingRow } from '../sql/sourceMeetings.js';
import { Source } from './source.js';
import { SourceSecret } from './sourceSecret.js';

/** A secret or an API key that was not accepted, and the reason. The entered text is not shown again. */
export interface SourceRefusal {
  /** The id of its source, or `new`. */
  source: string;
  /** The kind of a new source, and the mode of its orders. */
  kind?: SourceKind;
  isTest?: boolean;
  /** The prefix that was entered for a new source. Set if the form asks for a prefix. */
  orderIdPrefix?: string;
  hint: string;
  /** Set if the API key was refused, not the secret. */
  isOfAccess?: boolean;
}

interface SourcesProps extends Pick<SetupData, 'domains'> {
  sources: readonly ListedSource[];
  publicUrl: string;
  meetings: SourceMeetingRow[];
  apart: readonly ApartHost[];
  /** The kind that the address of the page names; undefined for none. */
  kind: SourceKind | undefined;
  refusal: SourceRefusal | null;
}

/** The setup page of sources. */
export function Sources({ sources, refusal, kind, ...rest }: SourcesProps) {
  return (
    <>
      <PageHead
        title="Let your shop system confirm orders"
        about={
          <>
            It reports each paid order and refund itself, even if the buyer closes the page. It needs no code.{' '}
            <Guide to="sources">How sources work</Guide>
          </>
        }
      />
      {sources.slice(0, sourcesAtMost).map((source) => (
        <Source
          source={source}
          {...hintsOf(source, refusal)}
          isAlone={sources.filter(({ isTest }) => isTest === source.isTest).length === 1}
          {...rest}
        />
      ))}
      {sources.length > sourcesAtMost && <p>There are more sources than these.</p>}
      {sources.length < sourcesAtMost ? (
        <NewSource refusal={refusal} kind={kind} />
      ) : (
        <p>A team can have {sourcesAtMost} sources. Remove one before you add another.</p>
      )}
    </>
  );
}

function hintsOf({ id }: ListedSource, refusal: SourceRefusal | null) {
  const isIts = refusal?.source === encodeId('src', id);
  return {
    secretHint: isIts && !refusal.isOfAccess ? refusal.hint : null,
    accessHint: isIts && refusal.isOfAccess ? refusal.hint : null,
  };
}

function NewSource({ refusal: ofAny, kind }: Pick<SourcesProps, 'refusal' | 'kind'>) {
  if (useConsole().session.isReadOnly) return <NoForm action="add a source" />;
  const refusal = ofAny?.source === 'new' ? ofAny : null;
  const isPrefixAsked = refusal?.orderIdPrefix !== undefined;
  return (
    <section class="panel" aria-labelledby="new-source">
      <Form action="/setup/sources" class="body line">
        <h2 id="new-source" class="grow">
          Add a source
        </h2>
        <Choice
          name="kind"
          label="Shop system"
          isBare
          chosen={refusal?.kind ?? kind ?? ''}
          choices={sourceKinds.map((kind) => [kind, providers[kind].name])}
        />
        <SourceSecret
          id="new"
          label="Signing secret, if you have it"
          hint={isPrefixAsked ? null : (refusal?.hint ?? null)}
        />
        {isPrefixAsked && <PrefixField prefix={refusal.orderIdPrefix ?? ''} hint={refusal.hint} />}
        <ModeChoice isTest={refusal?.isTest ?? false} />
        <button type="submit">Add the source</button>
      </Form>
    </section>
  );
}

/** The field of the prefix of a second shop's order ids. */
function PrefixField({ prefix, hint }: { prefix: string; hint: string }) {
  return (
    <label class="grow">
      <span class="hidden">Text before its order ids, such as B-</span>
      <input
        name="orderIdPrefix"
        value={prefix}
        maxlength={20}
        placeholder="Text before its order ids, such as B-"
        {...plainText}
        {...refusedField('refusal-prefix')}
      />
      <small id="refusal-prefix" role="alert">
        Not added yet: {hint}.
      </small>
    </label>
  );
}
