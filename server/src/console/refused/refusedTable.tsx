import type { RefusedRow } from '../../refused/refusedReport.js';
import { describeRefusedKind } from '../../refused/refusedWords.js';
import { displayDomain } from '../../teams/domains.js';
import { encodeId } from '../../values/ids.js';
import { hourMs } from '../../values/timeUnits.js';
import { useConsole } from '../context.js';
import { Scroll, Time } from '../parts/elements.js';
import { formatMoney, formatNumber } from '../parts/formatNumber.js';
import { readSentFields } from './correction.js';

/** One line of a list of refused reports; live pages get it alone. Every text in it may be hostile. */
export function RefusedLine({ entry }: { entry: RefusedRow }) {
  const { home, viewer } = useConsole();
  const id = encodeId('ref', entry.id);
  const sent = readSentFields(entry);
  return (
    <tr id={id} data-at={entry.receivedAt.getTime()}>
      <td class="end">
        <Time at={entry.receivedAt} />
        {entry.times > 1 && <small> {formatNumber(entry.times, viewer)} times</small>}
      </td>
      <th scope="row" class="long first whole">
        <a href={`${home}/refused/${id}`}>{describeRefusedKind(entry, new Set()).why}</a>
      </th>
      <td class="long">
        <bdi>{shorten(sent.orderId)}</bdi>
      </td>
      <td class="long">
        <bdi>{shorten(sent.email)}</bdi>
      </td>
      <td class="number">
        {entry.amount !== null && entry.currency !== null ? (
          formatMoney(entry.amount, entry.currency, viewer)
        ) : (
          <bdi>{shorten(sent.amount)}</bdi>
        )}
      </td>
    </tr>
  );
}

interface RefusedTableProps {
  entries: readonly RefusedRow[];
  id?: string;
}

/** The list of refused reports with its headings. */
export function RefusedTable({ entries, id }: RefusedTableProps) {
  return (
    <table id={id} class="cards">
      <thead>
        <tr>
          <th scope="col">First time</th>
          <th scope="col">Refused because</th>
          <th scope="col">Your order id</th>
          <th scope="col">Buyer</th>
          <th scope="col" class="number">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <RefusedLine entry={entry} />
        ))}
      </tbody>
    </table>
  );
}

const shownCharacters = 120;

/** A text of a body may be as long as the body. */
function shorten(text: string): string {
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters).toWellFormed()}…` : text;
}

/** Describes the origin of a refused report. */
export function originOf({ host, keyHash }: Pick<RefusedRow, 'host' | 'keyHash'>): string {
  if (keyHash !== null) return 'a backend with an API key';
  return host === '' ? 'a page that names no host' : `a page of ${displayDomain(host)}`;
}

/** Age of the oldest refused report on a page that shows orders as they arrive. */
const refusedNowMs = hourMs;
/** Number of refused reports on such a page. */
export const refusedNowAtMost = 5;

interface RefusedNowProps {
  /** The newest refused reports. */
  entries: readonly RefusedRow[];
  now: Date;
  /** Level of the table's heading. */
  heading: 'h2' | 'h3';
}

/** The latest refused reports, on a page that shows what arrives. Hidden until there is one. */
export function RefusedNow({ entries, now, heading: Heading }: RefusedNowProps) {
  const { home } = useConsole();
  const late = entries.filter(({ receivedAt }) => now.getTime() - receivedAt.getTime() < refusedNowMs);
  return (
    <section id="refused-now" hidden={late.length === 0}>
      <Heading id="refused-heading">Refused, this last hour</Heading>
      <Scroll labelledBy="refused-heading">
        <RefusedTable id="refused" entries={late} />
      </Scroll>
      <p>
        <a href={`${home}/refused`}>Fix and store them</a>
      </p>
    </section>
  );
}
