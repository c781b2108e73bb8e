import type { RefusedGroupRow } from '../refused/sql/listRefused.js';
import { displayDomain } from '../teams/domains.js';
import type { Session } from './context.js';
import { formatMoney, formatNumber, formatSince } from './format.js';
import { FormToken } from './layout.js';
import type { Reader } from './reader.js';
import { refusedParameters } from './refusedQuery.js';
import { describeRefusedKind, isOwnMachine, type RefusedWords } from './refusedWords.js';

interface RefusedGroupProps {
  group: RefusedGroupRow;
  base: string;
  reader: Reader;
  session: Session;
  now: Date;
  /** The team's domains. */
  domains: ReadonlySet<string>;
  /** Leads to the reports, where the page does not list them itself. */
  isLinked: boolean;
}

/** One group of refused reports: why, how many, how much, since when, and what can be done with all of them. */
export function RefusedGroup(props: RefusedGroupProps) {
  const { group, base, reader, now, domains, isLinked } = props;
  const words = describeRefusedKind(group, domains);
  const list = `${base}/console/refused${refusedParameters(group)}`;
  return (
    <article class="group">
      <h2>
        <bdi>{words.why}</bdi>
      </h2>
      <p>
        <strong>{sumWords(group, reader)}</strong>, since {formatSince(group.firstAt, now, reader)}
        {group.withoutAmount > 0 && <>; {withoutWords(group, reader)}</>}.
      </p>
      <p>
        {words.fix} {isLinked && <a href={list}>See each one</a>}
      </p>
      <Actions {...props} words={words} />
    </article>
  );
}

function Actions({ words, ...props }: RefusedGroupProps & { words: RefusedWords }) {
  const { group, base, session } = props;
  const { host, reports } = group;
  return (
    <div class="buttons">
      {words.mend === 'allow' && (
        <form method="post" action={`${base}/console/refused/allow`} class="inline">
          <FormToken session={session} />
          <input type="hidden" name="host" value={host} />
          <label>
            <input type="checkbox" name="test" value="yes" checked={isOwnMachine(host) || session.isDemo} />{' '}
            Its orders are tests
          </label>
          <button type="submit" aria-label={`Allow and store orders of ${displayDomain(host)}`}>
            Allow and store
          </button>
        </form>
      )}
      {words.mend !== 'allow' && words.mend !== 'none' && (
        <form method="post" action={`${base}/console/refused/store`} class="inline">
          <FormToken session={session} />
          <Kind group={group} />
          <button type="submit" class={words.mend === 'each' ? 'outline' : ''}>
            {words.mend === 'each' ? 'Try to store them again' : 'Store them'}
          </button>
        </form>
      )}
      <details>
        <summary>Discard</summary>
        <form method="post" action={`${base}/console/refused/discard`} class="inline">
          <FormToken session={session} />
          <Kind group={group} />
          <input type="hidden" name="until" value={group.lastAt.toISOString()} />
          <button type="submit" class="secondary">
            Discard {reports === 1 ? 'this report' : `these ${reports} reports`} for ever
          </button>
        </form>
      </details>
    </div>
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

function sumWords({ reports, sums }: RefusedGroupRow, reader: Reader): string {
  const money = sums.map(({ currency, amount }) => formatMoney(amount, currency, reader));
  return [`${formatNumber(reports, reader)} ${reports === 1 ? 'order' : 'orders'}`, ...money].join(', ');
}

function withoutWords({ reports, withoutAmount }: RefusedGroupRow, reader: Reader): string {
  if (withoutAmount === reports) return 'no amount can be read';
  return `of ${formatNumber(withoutAmount, reader)} of them no amount can be read`;
}
