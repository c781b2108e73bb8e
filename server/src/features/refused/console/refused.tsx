import { useConsole } from '../../../console/context.js';
import { plainText } from '../../../console/parts/elements.js';
import { Action, Confirm, Form, NoForm } from '../../../console/parts/form.js';
import { counted, formatSince, formatSums } from '../../../console/parts/format.js';
import { Empty, PageHead, Pager, Panel } from '../../../console/parts/panel.js';
import { correctEach } from '../fieldWords.js';
import { describeRefusedKind, type RefusedWords } from '../refusedWords.js';
import type { RefusedGroupRow } from '../sql/groupRefused.js';
import { AboutReason } from './aboutReason.js';
import { AllowHost } from './allowHost.js';
import type { RefusedData } from './loadRefused.js';
import { refusedParameters } from './refusedQuery.js';
import { sayRefusedSum } from './refusedSum.js';
import { RefusedTable } from './refusedTable.js';

/** Content of the page of refused reports: a panel for each cause, with its money and its fix. */
export function Refused(data: RefusedData) {
  const { kind, before, groups, entries, isMore, sums, unkept } = data;
  const { link, viewer, isTest } = useConsole();
  const hidden = (groups[0]?.groups ?? 0) - groups.length;
  const to = (position?: RefusedData['before']) => link('/refused', refusedParameters(kind, position));
  return (
    <>
      <PageHead
        title={
          kind ? (
            <>
              <a href={link('/refused')}>Refused</a> /{' '}
              {counted(
                groups.reduce((sum, group) => sum + group.reports, 0),
                'order',
                viewer,
              )}
            </>
          ) : (
            'Refused'
          )
        }
        about={
          <span data-fresh="about">
            {sayRefusedSum(sums, isTest, viewer)} Reports are kept for 30 days, as they were sent.
          </span>
        }
      />
      <div class="stack" data-fresh="groups">
        {groups.length === 0 && (
          <Panel label="Refused reports">
            <Empty>
              {kind
                ? 'No report of this group needs attention any more.'
                : isTest
                  ? 'No refused test reports need attention.'
                  : 'No refused reports need attention.'}{' '}
              Reports that the server refuses, and that you can fix, appear here.{' '}
              <a href={link('/setup/install')}>Try your pages</a>.
            </Empty>
          </Panel>
        )}
        {groups.map((group) => (
          <Group group={group} {...data} />
        ))}
        {hidden > 0 && (
          <p class="muted">
            {counted(hidden, 'more group is', viewer, 'more groups are')} not shown. Fix or discard some of
            these.
          </p>
        )}
        {unkept && (
          <p class="muted">
            {counted(unkept.reports, 'more report was', viewer, 'more reports were')} refused since{' '}
            {formatSince(unkept.since, viewer.now, viewer)}, the last one{' '}
            {formatSince(unkept.until, viewer.now, viewer)}, and only counted: one sender, one host or all
            together sent more than is kept.
          </p>
        )}
      </div>
      {entries && entries.length > 0 && (
        <Panel id="reports" title="Each one, newest first">
          <RefusedTable entries={entries} />
          <Pager newest={before !== undefined && to()} older={isMore && to(entries.at(-1))} />
        </Panel>
      )}
    </>
  );
}

/** A group of refused reports: their money, the reason, and the button that fixes them. */
function Group({ group, domains, requiresSignature, kind }: RefusedData & { group: RefusedGroupRow }) {
  const { link, viewer, session } = useConsole();
  const words = wordsOf(group, describeRefusedKind(group, domains, requiresSignature));
  const [first, ...others] = formatSums(group.sums, group.otherCurrencies, viewer);
  const orders = counted(group.reports, words.noun, viewer);
  const fields = { reason: group.reason, host: group.host, field: group.field, cause: group.cause };
  const isCuredEach = words.fix === 'each' && group.field !== 'currency';
  return (
    <article class="panel">
      <div class="body line group">
        <p>
          <strong class="large">{first ?? orders}</strong>
          <br />
          <small>
            {others.length > 0 && `${others.join(', ')}; `}
            {first !== undefined && `${orders} `}since {formatSince(group.firstAt, viewer.now, viewer)}
            {group.withoutAmount > 0 &&
              first !== undefined &&
              `; ${counted(group.withoutAmount, 'amount', viewer)} cannot be read`}
          </small>
        </p>
        <div class="grow">
          <h2>
            <bdi dir="ltr">{words.why}</bdi>
          </h2>
          {session.isReadOnly ? (
            <NoForm action="correct or store them" />
          ) : (
            <p class="muted">{words.advice}</p>
          )}
        </div>
        {!(isCuredEach && kind !== null) && <Cure group={group} text={words} fields={fields} />}
      </div>
      <footer class="line">
        {kind === null && !isCuredEach && (
          <a href={link('/refused', refusedParameters(group))}>See {orders}</a>
        )}
        <AboutReason reason={group.reason} />
        {words.fix === 'each' && !isUnchangeable(group.reason) && (
          <Action to="/refused/store" fields={fields} isSmall>
            Try to store them again
          </Action>
        )}
        <Confirm
          to="/refused/discard"
          fields={{ ...fields, until: group.lastAt.toISOString() }}
          title="Discard"
          text="They will not count. You can undo it at once, and whoever runs your server can for a day."
          label={`Discard ${counted(group.reports, 'report', viewer)}`}
        >
          Discard {counted(group.reports, 'report', viewer)}
        </Confirm>
      </footer>
    </article>
  );
}

/** Offers to correct a group together only if a report of it has money that can be read. All others would be refused again. */
function wordsOf({ reports, withoutAmount }: RefusedGroupRow, words: RefusedWords): RefusedWords {
  return words.fix === 'comma' && reports === withoutAmount
    ? { ...words, advice: correctEach, fix: 'each' }
    : words;
}

interface CureProps {
  group: RefusedGroupRow;
  text: RefusedWords;
  fields: Record<string, string>;
}

/** The button that fixes a group. */
function Cure({ group, text, fields }: CureProps) {
  const { link, session } = useConsole();
  switch (text.fix) {
    case 'allow':
      return <AllowHost kind={group} reports={group.reports} />;
    case 'store':
      return (
        <Action to="/refused/store" fields={fields}>
          Store {group.reports}
        </Action>
      );
    case 'comma':
      return (
        <Action to="/refused/correct-all" fields={fields}>
          Correct and store {group.reports - group.withoutAmount}
        </Action>
      );
    case 'each':
      return group.field === 'currency' ? (
        <Form action="/refused/correct-all" class="line">
          {Object.entries(fields).map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <label>
            <span class="hidden">Currency of all of them, such as USD</span>
            <input
              name="currency"
              required
              size={6}
              placeholder="USD"
              value={session.currency ?? undefined}
              maxlength={5}
              pattern="[A-Za-z]{3,5}"
              title="3 to 5 letters, such as USD"
              {...plainText}
            />
          </label>
          <button type="submit">Correct and store all</button>
        </Form>
      ) : (
        <a class="button" href={link('/refused', refusedParameters(group))}>
          {session.isReadOnly ? 'See each' : 'Open each'}
        </a>
      );
    case 'none':
      return null;
  }
}

/** @returns true if the reports' own content is refused, so that they are refused again unless they are corrected */
const isUnchangeable = (reason: string) => reason === 'invalid_request' || reason === 'order_conflict';
