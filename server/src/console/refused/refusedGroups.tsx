import { describeRefusedKind, type RefusedWords } from '../../refused/refusedWords.js';
import type { RefusedGroupRow } from '../../refused/sql/listRefused.js';
import { useConsole } from '../context.js';
import { FoldedForm, Form } from '../parts/form.js';
import { formatNumber, formatSums } from '../parts/formatNumber.js';
import { formatSince } from '../parts/formatTime.js';
import type { Viewer } from '../parts/viewer.js';
import { AboutReason } from './aboutReason.js';
import { AllowHost } from './allowHost.js';
import { refusedParameters } from './refusedQuery.js';

interface RefusedGroupProps {
  group: RefusedGroupRow;
  now: Date;
  /** The team's domains. */
  domains: ReadonlySet<string>;
  requiresSignature: boolean;
  /** True where the page does not list the reports itself: then a link leads to them. */
  isLinked: boolean;
}

/** A group of refused reports: why, how many, how much, since when, and the actions for all of them. */
export function RefusedGroup({ group, now, domains, requiresSignature, isLinked }: RefusedGroupProps) {
  const { home, viewer } = useConsole();
  const words = describeRefusedKind(group, domains, requiresSignature);
  const list = `${home}/refused${refusedParameters(group)}`;
  return (
    <article class="group">
      <h2>
        <bdi dir="ltr">{words.why}</bdi>
      </h2>
      <p>
        <strong>{sumWords(group, viewer)}</strong>, since {formatSince(group.firstAt, now, viewer)}
        {group.withoutAmount > 0 && <>; {withoutWords(group, viewer)}</>}.
      </p>
      <p>
        {words.advice}
        <br />
        {isLinked && (
          <>
            <a href={list}>See each one</a> ·{' '}
          </>
        )}
        <AboutReason reason={group.reason} />
      </p>
      {(words.fix === 'comma' || (words.fix === 'each' && !isLinked)) && (
        <CorrectAll group={group} isComma={words.fix === 'comma'} />
      )}
      <Actions group={group} words={words} />
    </article>
  );
}

function Actions({ words, group }: Pick<RefusedGroupProps, 'group'> & { words: RefusedWords }) {
  const { reports } = group;
  const { viewer } = useConsole();
  return (
    <div class="buttons">
      {words.fix === 'allow' && <AllowHost kind={group} />}
      {(words.fix === 'store' || (words.fix === 'each' && !isUnchangeable(group.reason))) && (
        <Form action="/refused/store" class="inline">
          <Kind group={group} />
          <button type="submit" class={words.fix === 'each' ? 'outline' : ''}>
            {words.fix === 'each' ? 'Try to store them again' : 'Store them'}
          </button>
        </Form>
      )}
      <FoldedForm summary="Discard">
        <p>
          These will never count: <strong>{sumWords(group, viewer)}</strong>. You can undo this for a day.
        </p>
        <Form action="/refused/discard" class="inline">
          <Kind group={group} />
          <input type="hidden" name="until" value={group.lastAt.toISOString()} />
          <button type="submit" class="secondary">
            Discard {reports === 1 ? 'this report' : `these ${formatNumber(reports, viewer)} reports`}
          </button>
        </Form>
      </FoldedForm>
    </div>
  );
}

/** True for reports that are refused for their own content: as they are, they are refused again. */
const isUnchangeable = (reason: string) => reason === 'invalid_request' || reason === 'order_conflict';

/** The form that corrects all reports of a group in one go, where one correction can be right for all. */
function CorrectAll({ group, isComma }: Pick<RefusedGroupProps, 'group'> & { isComma: boolean }) {
  const isCurrency = group.field === 'currency';
  if (!isCurrency && !isComma) return null;
  return (
    <Form action="/refused/correct-all" class="inline">
      <Kind group={group} />
      {isCurrency && (
        <label>
          Currency of all of them, such as USD
          <input
            name="currency"
            required
            maxlength={5}
            pattern="[A-Za-z]{3,5}"
            title="3 to 5 letters, such as USD"
            autocomplete="off"
            spellcheck={false}
          />
        </label>
      )}
      <button type="submit">{isCurrency ? 'Correct and store all' : 'Store all, with 49,90 as 49.90'}</button>
    </Form>
  );
}

function Kind({ group }: { group: RefusedGroupRow }) {
  return (
    <>
      <input type="hidden" name="reason" value={group.reason} />
      <input type="hidden" name="host" value={group.host} />
      <input type="hidden" name="field" value={group.field} />
    </>
  );
}

function sumWords({ reports, sums, otherCurrencies }: RefusedGroupRow, viewer: Viewer): string {
  const orders = `${formatNumber(reports, viewer)} ${reports === 1 ? 'order' : 'orders'}`;
  return [orders, ...formatSums(sums, otherCurrencies, viewer)].join(', ');
}

function withoutWords({ reports, withoutAmount }: RefusedGroupRow, viewer: Viewer): string {
  if (withoutAmount === reports) return 'no amount can be read';
  return `the amount of ${formatNumber(withoutAmount, viewer)} of them cannot be read`;
}
